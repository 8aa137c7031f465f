//! `refolio rule`

use std::fmt::Write as _;
use std::process::ExitCode;

use super::args::RuleArgs;
use super::error::CliError;
use super::output::Output;
use crate::lint;

pub(super) fn rule(args: &RuleArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let text = if args.all {
        lint::docs::rules_markdown()
    } else if args.list {
        lint::all().fold(String::new(), |mut out, rule| {
            let _ = writeln!(out, "{}  {:<8} {:<32} {}", rule.code, rule.severity, rule.name, rule.summary);
            out
        })
    } else {
        let wanted = args.rule.as_deref().unwrap_or_default();
        let rule = lint::find(wanted)
            .ok_or_else(|| CliError::UnknownRule { code: wanted.to_owned(), suggestion: lint::suggest(wanted) })?;
        lint::docs::rule_markdown(rule)
    };
    output.print(&text)?;
    Ok(ExitCode::SUCCESS)
}
