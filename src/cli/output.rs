//! Printing: results to stdout, everything else to stderr.

use std::io::{self, IsTerminal as _, Write as _};

use super::error::CliError;

/// Where a command prints.
pub(super) struct Output {
    quiet: bool,
}

impl Output {
    pub(super) const fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    pub(super) const fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether stdout is a terminal that wants colours: `NO_COLOR`, `CLICOLOR_FORCE` and `TERM` are heeded.
    pub(super) fn colour(&self) -> bool {
        anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
    }

    /// Whether a progress bar makes sense.
    pub(super) fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Prints a result.
    pub(super) fn print(&self, text: &str) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        if !text.is_empty() && !text.ends_with('\n') {
            out.write_all(b"\n")?;
        }
        out.flush()?;
        Ok(())
    }

    /// Prints a remark for the person at the terminal.
    pub(super) fn note(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// Prints an error, with what is behind it, its place in the configuration, and its hint.
    pub(super) fn error(&self, error: &CliError) {
        let mut err = anstream::stderr();
        let (red, cyan) = (anstyle::AnsiColor::Red.on_default().bold(), anstyle::AnsiColor::Cyan.on_default().bold());
        let _ = match error.frame() {
            // It comes with colours; the stream takes them away where they are not wanted.
            Some(frame) => writeln!(err, "{frame}"),
            None => writeln!(err, "{red}error{red:#}: {}", with_causes(error)),
        };
        if let Some(hint) = error.hint() {
            let _ = writeln!(err, "{cyan}hint{cyan:#}: {hint}");
        }
    }
}

/// The message, and after colons those of its causes that it does not hold itself.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}
