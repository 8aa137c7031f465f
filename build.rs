//! Compiles Vampire's own command line into the library, so that the one executable carries the whole prover.
//!
//! `vampire-sys` builds the prover as a static library without its command line. Four files are compiled along here,
//! with exactly the flags the library was built with, which cmake has left in `compile_commands.json`:
//!
//! * `vampire.cpp`, the command line, with its `main` under another name. Four lines are changed for workers: `main`
//!   calls `refolio_vampire_ready` when the command line is read and the problem is not, which is where a worker waits
//!   and forks; options that were checked there are not checked again; and what depends on the problem is checked
//!   of the options that were set, not of all;
//! * `Lib/Timer.cpp`. The copy in the library never ends the process when the time is up (a host program would die with
//!   it), so that only the saturation loop heeds a time limit; a command line must stop in every phase, finite-model
//!   building included. And in a worker's child an alarm replaces the thread that watches the clock. Defined here, its
//!   symbols are found before the library's own;
//! * `src/prove/bundled.cpp`, the functions that Rust and the changed lines call;
//! * `src/prove/rewind.cpp`, by which a worker's child answers more than one question.
//!
//! A line to be changed that is not there exactly once fails the build: another Vampire needs another look.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "bundled-vampire")]
    bundled::compile_command_line();
}

#[cfg(feature = "bundled-vampire")]
mod bundled {
    use std::path::{Path, PathBuf};
    use std::{env, fs};

    const OURS: [&str; 2] = ["src/prove/bundled.cpp", "src/prove/rewind.cpp"];

    /// Lines of a source of Vampire's, and what stands there instead.
    struct Patch {
        /// Written at the top.
        declares: &'static str,
        lines: &'static [(&'static str, &'static str)],
    }

    const COMMAND_LINE: Patch = Patch {
        declares: "void refolio_vampire_ready();\nextern bool refolio_vampire_options_checked;\n\
                   namespace Shell { class Property; }\n\
                   void refolio_vampire_check_options(Shell::Property*, bool);\n",
        lines: &[
            (
                "Timer::reinitialise(); // start our timer, so that we also limit parsing",
                "refolio_vampire_ready(); Timer::reinitialise();",
            ),
            (
                "env.options->checkGlobalOptionConstraints();",
                "if (!refolio_vampire_options_checked) env.options->checkGlobalOptionConstraints();",
            ),
            (
                "env.options->checkProblemOptionConstraints(prb->getProperty(), /*before_preprocessing = */ true);",
                "refolio_vampire_check_options(prb->getProperty(), true);",
            ),
            (
                "env.options->checkProblemOptionConstraints(prb->getProperty(), /*before_preprocessing = */ false);",
                "refolio_vampire_check_options(prb->getProperty(), false);",
            ),
        ],
    };

    const TIMER: Patch = Patch {
        declares: "extern bool refolio_vampire_is_command_line;\nbool refolio_vampire_set_alarm();\n\
                   void refolio_vampire_limits_off();\n",
        lines: &[
            (
                "LIBRARY_MODE = true;",
                "LIBRARY_MODE = !refolio_vampire_is_command_line; const bool alarmed = refolio_vampire_set_alarm();",
            ),
            ("  if (tryInitInstructionLimiting) {", "  if (tryInitInstructionLimiting && !alarmed) {"),
            ("std::thread(timer_thread).detach();", "if (!alarmed) std::thread(timer_thread).detach();"),
            ("void disableLimitEnforcement() {", "void disableLimitEnforcement() { refolio_vampire_limits_off();"),
        ],
    };

    pub(crate) fn compile_command_line() {
        let root = PathBuf::from(env::var_os("DEP_VAMPIRE_ROOT").expect("vampire-sys exports its build folder"));
        let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
        let commands = root.join("build/compile_commands.json");
        println!("cargo:rerun-if-changed={}", commands.display());
        for file in OURS.iter().chain(&["src/prove/rewind.hpp"]) {
            println!("cargo:rerun-if-changed={file}");
        }
        let text = fs::read_to_string(&commands).unwrap_or_else(|e| panic!("cannot read {}: {e}", commands.display()));
        let entries: Vec<serde_json::Value> =
            serde_json::from_str(&text).unwrap_or_else(|e| panic!("cannot parse {}: {e}", commands.display()));

        let (main, flags) = find(&entries, "/vampire.cpp");
        let (timer, _) = find(&entries, "/Lib/Timer.cpp");
        let timer = patched(Path::new(timer), &TIMER, &out);
        let command_line = patched(Path::new(main), &COMMAND_LINE, &out);

        let mut library = cc::Build::new();
        library.cpp(true).warnings(false).file(&timer).files(OURS);
        // The copy of the timer lies elsewhere: its neighbours are found as they would be from its own folder.
        library.flag("-iquote").flag(Path::new(main).with_file_name("Lib"));
        let mut renamed = cc::Build::new();
        renamed.cpp(true).warnings(false).file(&command_line).define("main", "refolio_vampire_main");
        for build in [&mut library, &mut renamed] {
            for flag in flags.iter().filter(|f| !f.starts_with("-W")) {
                build.flag(flag);
            }
        }
        for object in renamed.compile_intermediates() {
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

    /// A patched copy of a source, under its own name.
    fn patched(source: &Path, patch: &Patch, out: &Path) -> PathBuf {
        let mut text = fs::read_to_string(source).unwrap_or_else(|e| panic!("cannot read {}: {e}", source.display()));
        for (line, instead) in patch.lines {
            assert_eq!(text.matches(line).count(), 1, "{} is not what this build knows: `{line}`", source.display());
            text = text.replace(line, instead);
        }
        let path = out.join(source.file_name().expect("a source has a name"));
        fs::write(&path, format!("{}{text}", patch.declares))
            .unwrap_or_else(|e| panic!("cannot write {}: {e}", path.display()));
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
