//! `refolio check`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;

use serde_json::Value;

use super::args::CheckArgs;
use super::error::CliError;
use super::output::Output;
use crate::emit::{proofs, read_split, splits};
use crate::verify::{Claim, Reading, ReadingOptions, Rechecked, recheck};

/// Failures that are told one by one.
const TOLD: usize = 20;

pub(super) fn check(args: &CheckArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let mut proofs = proofs(&args.dir)?;
    let mut text = String::new();
    let mut failures = 0;
    for path in splits(&args.dir)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut counts: BTreeMap<Rechecked, u64> = BTreeMap::new();
        read_split(&path, |config, row| {
            let proof = row.proof_ref.as_ref().and_then(|key| proofs.remove(key));
            let claim = Claim {
                verdict: row.verdict,
                evidence: row.evidence,
                used_premises: row.used_premises,
                models: row.models,
                proof,
            };
            let checked = settings(config).ok_or_else(|| "the settings of the run are unknown".to_owned()).and_then(
                |(options, unique_names)| {
                    let reading = Reading::new(&row.premises_fol, row.conclusion_fol.as_deref(), options);
                    recheck(&claim, &reading, unique_names).map_err(|e| e.to_string())
                },
            );
            match checked {
                Ok(outcome) => *counts.entry(outcome).or_default() += 1,
                Err(error) => {
                    failures += 1;
                    if failures <= TOLD {
                        let _ = writeln!(text, "{name} {}: {error}", row.record_id);
                    }
                }
            }
        })?;
        let parts = Rechecked::ALL.iter().filter_map(|o| counts.get(o).map(|n| format!("{n} {}", o.as_str())));
        let _ = writeln!(text, "{name}: {}", parts.collect::<Vec<_>>().join(", "));
    }
    if failures > TOLD {
        let _ = writeln!(text, "and {} more", failures - TOLD);
    }
    let _ = writeln!(text, "{failures} {} not hold", if failures == 1 { "verdict does" } else { "verdicts do" });
    output.print(&text)?;
    Ok(ExitCode::from(u8::from(failures > 0)))
}

/// How the rows' formulas are to be read, as the run that wrote them was configured.
fn settings(config: &Value) -> Option<(ReadingOptions, bool)> {
    let read = |key: &str| config["parse"][key].clone();
    let options = ReadingOptions {
        scope: serde_json::from_value(read("quantifier_scope")).ok()?,
        free: serde_json::from_value(read("free_variables")).ok()?,
    };
    Some((options, config["verify"]["unique_names"].as_bool()?))
}
