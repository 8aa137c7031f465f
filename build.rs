//! Compiles Vampire's own command line into the library, so that the one executable carries the whole prover.
//!
//! `vampire-sys` builds the prover as a static library without its command line. Three files are compiled along here,
//! with exactly the flags the library was built with, which cmake has left in `compile_commands.json`:
//!
//! * `vampire.cpp`, the command line, with its `main` under another name;
//! * `Lib/Timer.cpp`, with one line changed: the copy in the library never ends the process when the time is up (a
//!   host program would die with it), so that only the saturation loop heeds a time limit. A command line must stop in
//!   every phase, finite-model building included. Defined here, its symbols are found before the library's own;
//! * `src/prove/bundled.cpp`, the function that Rust calls.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "bundled-vampire")]
    bundled::compile_command_line();
}

#[cfg(feature = "bundled-vampire")]
mod bundled {
    use std::path::{Path, PathBuf};
    use std::{env, fs};

    const SHIM: &str = "src/prove/bundled.cpp";

    /// The line of `Lib/Timer.cpp` that makes the timer a library's, and what stands there instead.
    const TIMER_LINE: &str = "LIBRARY_MODE = true;";
    const TIMER_INSTEAD: &str = "LIBRARY_MODE = !refolio_vampire_is_command_line;";
    const TIMER_DECLARES: &str = "extern bool refolio_vampire_is_command_line;\n";

    pub(crate) fn compile_command_line() {
        let root = PathBuf::from(env::var_os("DEP_VAMPIRE_ROOT").expect("vampire-sys exports its build folder"));
        let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
        let commands = root.join("build/compile_commands.json");
        println!("cargo:rerun-if-changed={}", commands.display());
        println!("cargo:rerun-if-changed={SHIM}");
        let text = fs::read_to_string(&commands).unwrap_or_else(|e| panic!("cannot read {}: {e}", commands.display()));
        let entries: Vec<serde_json::Value> =
            serde_json::from_str(&text).unwrap_or_else(|e| panic!("cannot parse {}: {e}", commands.display()));

        let (main, flags) = find(&entries, "/vampire.cpp");
        let (timer, _) = find(&entries, "/Lib/Timer.cpp");
        let timer = patched_timer(Path::new(timer), &out);

        let mut library = cc::Build::new();
        library.cpp(true).warnings(false).file(&timer).file(SHIM);
        // The copy of the timer lies elsewhere: its neighbours are found as they would be from its own folder.
        library.flag("-iquote").flag(Path::new(main).with_file_name("Lib"));
        let mut command_line = cc::Build::new();
        command_line.cpp(true).warnings(false).file(main).define("main", "refolio_vampire_main");
        for build in [&mut library, &mut command_line] {
            for flag in flags.iter().filter(|f| !f.starts_with("-W")) {
                build.flag(flag);
            }
        }
        for object in command_line.compile_intermediates() {
            library.object(object);
        }
        library.compile("refolio_vampire");
    }

    /// The source whose path ends with `suffix`, and the flags that cmake compiles it with.
    fn find<'a>(entries: &'a [serde_json::Value], suffix: &str) -> (&'a str, Vec<String>) {
        entries
            .iter()
            .find_map(|e| {
                let file = e["file"].as_str()?;
                let command = e["command"].as_str()?;
                file.ends_with(suffix).then(|| {
                    // `-o OUT -c SRC` end the command; what stands before them, except the compiler, are the flags.
                    (file, words(command).into_iter().skip(1).take_while(|f| f != "-o").collect())
                })
            })
            .unwrap_or_else(|| panic!("Vampire's build compiles no {suffix}"))
    }

    fn patched_timer(source: &Path, out: &Path) -> PathBuf {
        let text = fs::read_to_string(source).unwrap_or_else(|e| panic!("cannot read {}: {e}", source.display()));
        assert_eq!(text.matches(TIMER_LINE).count(), 1, "{} is not the timer this build knows", source.display());
        let patched = format!("{TIMER_DECLARES}{}", text.replace(TIMER_LINE, TIMER_INSTEAD));
        let path = out.join("Timer.cpp");
        fs::write(&path, patched).unwrap_or_else(|e| panic!("cannot write {}: {e}", path.display()));
        path
    }

    /// Splits a command as a POSIX shell would: cmake quotes what needs it.
    fn words(command: &str) -> Vec<String> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut quote: Option<char> = None;
        let mut chars = command.chars();
        while let Some(c) = chars.next() {
            match (c, quote) {
                (c, Some(q)) if c == q => quote = None,
                ('\\', None | Some('"')) => word.get_or_insert_default().extend(chars.next()),
                ('\'' | '"', None) => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                (c, None) if c.is_whitespace() => words.extend(word.take()),
                (c, _) => word.get_or_insert_default().push(c),
            }
        }
        words.extend(word);
        words
    }
}
