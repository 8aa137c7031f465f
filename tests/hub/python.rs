//! Running Python with the libraries of the Hub.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a script of this folder; what it printed. `None`, with the reason on the terminal, where Python or a package is
/// missing. `REFOLIO_PYTHON` names the Python to use; then a missing package is a failure.
#[track_caller]
pub(crate) fn python(script: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Option<String> {
    let script: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "hub", script].iter().collect();
    let named = std::env::var_os("REFOLIO_PYTHON");
    let program = named.clone().unwrap_or_else(|| "python3".into());
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(&program);
    command.arg(&script).args(arguments).env("PYTHONDONTWRITEBYTECODE", "1");
    for inherited in ["HF_TOKEN", "HF_ENDPOINT", "HF_TOKEN_PATH", "HF_HUB_OFFLINE", "HF_HUB_DISABLE_XET"] {
        command.env_remove(inherited);
    }
    command.env("HF_HOME", home.path()).env("HF_HUB_DISABLE_TELEMETRY", "1").env("HF_HUB_DISABLE_PROGRESS_BARS", "1");
    command.env("HF_HUB_DISABLE_UPDATE_CHECK", "1").env("NO_PROXY", "127.0.0.1,localhost");
    command.envs(environment.iter().copied());
    let reason = match command.output() {
        Ok(output) if output.status.code() == Some(77) => String::from_utf8_lossy(&output.stderr).into_owned(),
        Ok(output) => {
            let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(output.status.success(), "{}: {out}{err}", script.display());
            return Some(out.into_owned());
        }
        Err(error) => error.to_string(),
    };
    assert!(named.is_none(), "REFOLIO_PYTHON={}: {reason}", Path::new(&program).display());
    report(&format!("skipped: {} cannot do it: {}", Path::new(&program).display(), reason.trim()));
    None
}

#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
pub(crate) fn report(text: &str) {
    eprintln!("{text}");
}
