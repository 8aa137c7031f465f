//! Compiles Vampire's own `main` under another name, so that the one executable carries the whole prover.
//!
//! `vampire-sys` builds the prover as a static library without its command line. The command line is a single file,
//! `vampire.cpp`; it must be compiled with exactly the flags the library was built with, which cmake has left in
//! `compile_commands.json`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "bundled-vampire")]
    bundled::compile_command_line();
}

#[cfg(feature = "bundled-vampire")]
mod bundled {
    use std::path::PathBuf;
    use std::{env, fs};

    pub(crate) fn compile_command_line() {
        let root = PathBuf::from(env::var_os("DEP_VAMPIRE_ROOT").expect("vampire-sys exports its build folder"));
        let commands = root.join("build/compile_commands.json");
        println!("cargo:rerun-if-changed={}", commands.display());
        let text = fs::read_to_string(&commands).unwrap_or_else(|e| panic!("cannot read {}: {e}", commands.display()));
        let entries: Vec<serde_json::Value> =
            serde_json::from_str(&text).unwrap_or_else(|e| panic!("cannot parse {}: {e}", commands.display()));
        let (source, command) = entries
            .iter()
            .find_map(|e| {
                let file = e["file"].as_str()?;
                file.ends_with("/vampire.cpp").then_some((file, e["command"].as_str()?))
            })
            .expect("Vampire's build compiles a vampire.cpp");

        let mut build = cc::Build::new();
        build.cpp(true).file(source).warnings(false).define("main", "refolio_vampire_main");
        // `-o OUT -c SRC` end the command; what stands before them, except the compiler, are the flags.
        for flag in command.split_whitespace().skip(1).take_while(|f| *f != "-o") {
            if flag.starts_with("-W") {
                continue;
            }
            // cmake escapes quotes for the shell; no shell runs here.
            build.flag(flag.replace("\\\"", "\""));
        }
        build.compile("refolio_vampire_main");
        // The static library must follow the object that uses it.
        println!("cargo:rustc-link-lib=static=vampire_lib");
    }
}
