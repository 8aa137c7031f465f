//! `summary.md`: the counts for people, beside the published ones.

use std::fmt::Write as _;

use super::counts::{Counts, Judgements, SplitCounts, label_word, labels};
use super::info::RunInfo;
use super::schema::SCHEMA_VERSION;
use crate::record::{Agreement, Grade, Status, Verdict};

/// The file's name.
pub const SUMMARY_FILE: &str = "summary.md";

/// How many diagnostics are shown for each split.
pub(crate) const TOP: usize = 10;

/// What was published of the refined FOLIO v2 train split: 674 rows that agreed as they came, 23 repaired, 304 left,
/// of 1001 (arXiv 2603.02788).
pub(crate) const PUBLISHED_TRAIN: [(Status, u64); 3] =
    [(Status::Verified, 674), (Status::Repaired, 23), (Status::Problematic, 304)];
/// Rows of that split.
pub(crate) const PUBLISHED_TRAIN_ROWS: u64 = 1001;
/// Rates of wrong labels published with it, in per cent of all rows, by split.
pub(crate) const PUBLISHED_LABEL_ERRORS: [(&str, &str); 2] = [("train", "3.8 %"), ("validation", "1.5 %")];

/// How the comparison is to be read.
const READING: &str = "The published figures are for the whole of FOLIO v2 (train 1001 rows, validation 203), with another parser, a language \
     model as repairer and some labels changed. The shares compare only with a split of the same rows, and `problematic` \
     there means left over after that repair. A published label error is a label that was changed; a contradicted label here \
     is one whose opposite the formulas prove, which a wrong formula brings about as easily as a wrong label. \
     Agreement says that formulas and label fit, not that the formulas say what the sentences say.";

/// The text of `summary.md`. It holds no times and no folders: the same rows and settings give the same text.
#[must_use]
pub fn summary_markdown(info: &RunInfo, counts: &Counts) -> String {
    let mut out = String::from("# Summary\n\n");
    head(&mut out, info);
    outcome(&mut out, counts);
    label_conflicts(&mut out, counts);
    let _ = writeln!(out, "{READING}");
    for (name, split) in &counts.splits {
        let _ = writeln!(out, "\n## Split {}", cell(name));
        agreement(&mut out, split);
        evidence(&mut out, split);
        matrix(&mut out, "as the rows leave", &split.leaving);
        if split.original != split.leaving {
            matrix(&mut out, "as the rows came", &split.original);
        }
        diagnostics(&mut out, split);
    }
    out
}

fn head(out: &mut String, info: &RunInfo) {
    let prover = info
        .prover
        .as_ref()
        .map_or_else(|| "no prover".to_owned(), |p| format!("{} {} ({})", p.name, p.version, p.origin.as_str()));
    let _ = writeln!(
        out,
        "refolio {}, schema version {SCHEMA_VERSION}; prover: {}; fixes: {}; configuration `{}`.\n",
        info.refolio_version,
        cell(&prover),
        info.fixes,
        short(&info.config_sha256),
    );
    table(out, &["input", "split", "rows", "format", "dialect", "SHA-256"], "llrlll");
    for input in &info.inputs {
        let format = match input.compression.as_str() {
            "none" => input.format.clone(),
            packed => format!("{}, {packed}", input.format),
        };
        line(
            out,
            &[
                cell(&input.name),
                cell(&input.split),
                input.rows.to_string(),
                format,
                cell(&input.dialect),
                format!("`{}`", short(&input.sha256)),
            ],
        );
    }
}

fn outcome(out: &mut String, counts: &Counts) {
    out.push_str("\n## Outcome\n\n");
    let mut header = vec!["split", "rows"];
    header.extend(Status::ALL.map(Status::as_str));
    table(out, &header, "lrrrrrr");
    for (name, split) in &counts.splits {
        let mut cells = vec![cell(name), split.rows.to_string()];
        cells.extend(Status::ALL.map(|status| with_share(split.status.get(status), split.rows)));
        line(out, &cells);
    }
    let mut cells = vec!["*published: FOLIO v2 train*".to_owned(), PUBLISHED_TRAIN_ROWS.to_string()];
    cells.extend(
        Status::ALL
            .map(|status| published(status).map_or_else(|| "–".to_owned(), |n| with_share(n, PUBLISHED_TRAIN_ROWS))),
    );
    line(out, &cells);
}

/// The published number of rows with this status.
pub(crate) fn published(status: Status) -> Option<u64> {
    PUBLISHED_TRAIN.into_iter().find(|(s, _)| *s == status).map(|(_, n)| n)
}

fn label_conflicts(out: &mut String, counts: &Counts) {
    out.push_str("\n## Labels that logic does not support\n\n");
    out.push_str(
        "*Contradicted*: labelled `True` or `False` where the opposite is proved, or `Uncertain` where either is. \
         *Unsupported*: labelled `True` or `False` where it was shown that neither follows. Shares are of labelled rows.\n\n",
    );
    table(
        out,
        &["split", "labelled", "contradicted as it came", "as it leaves", "unsupported as it came", "as it leaves"],
        "lrrrrr",
    );
    for (name, split) in &counts.splits {
        let labelled = split.labelled();
        let numbers = [
            split.original.contradicted(),
            split.leaving.contradicted(),
            split.original.unsupported(),
            split.leaving.unsupported(),
        ];
        let mut cells = vec![cell(name), labelled.to_string()];
        cells.extend(numbers.map(|n| with_share(n, labelled)));
        line(out, &cells);
    }
    for (split, rate) in PUBLISHED_LABEL_ERRORS {
        let name = format!("*published: FOLIO v2 {split}, label errors*");
        line(out, &[name, "–".to_owned(), rate.to_owned(), "–".to_owned(), "–".to_owned(), "–".to_owned()]);
    }
    out.push('\n');
}

fn agreement(out: &mut String, split: &SplitCounts) {
    out.push_str("\n### Agreement of verdict and label\n\n");
    table(out, &["agreement", "as it came", "as it leaves"], "lrr");
    for agreement in Agreement::ALL {
        let (came, leaves) = (split.original.agreement.get(agreement), split.leaving.agreement.get(agreement));
        if came + leaves > 0 {
            let name = agreement.as_str().to_owned();
            line(out, &[name, with_share(came, split.rows), with_share(leaves, split.rows)]);
        }
    }
}

fn evidence(out: &mut String, split: &SplitCounts) {
    if Grade::ALL.iter().all(|grade| split.evidence.get(*grade) == 0) {
        return;
    }
    out.push_str("\n### What verdicts rest on\n\n");
    table(out, &["evidence", "rows"], "lr");
    for grade in Grade::ALL.into_iter().filter(|grade| split.evidence.get(*grade) > 0) {
        line(out, &[grade.as_str().to_owned(), with_share(split.evidence.get(grade), split.rows)]);
    }
}

fn matrix(out: &mut String, when: &str, judgements: &Judgements) {
    let _ = writeln!(out, "\n### Label × verdict, {when}\n");
    let verdicts = shown_verdicts(judgements);
    let mut header = vec!["label"];
    header.extend(verdicts.iter().map(|v| v.as_str()));
    header.push("all");
    table(out, &header, &format!("l{}", "r".repeat(verdicts.len() + 1)));
    for label in labels() {
        let all = judgements.label(label);
        if all > 0 {
            let mut cells = vec![label_word(label).to_owned()];
            cells.extend(verdicts.iter().map(|v| judgements.matrix.get((label, *v)).to_string()));
            cells.push(all.to_string());
            line(out, &cells);
        }
    }
}

/// `True`, `False` and `Uncertain` always, the others where they occur.
pub(crate) fn shown_verdicts(judgements: &Judgements) -> Vec<Verdict> {
    let always = |v: &Verdict| matches!(v, Verdict::True | Verdict::False | Verdict::Uncertain);
    Verdict::ALL.into_iter().filter(|v| always(v) || judgements.verdict(*v) > 0).collect()
}

fn diagnostics(out: &mut String, split: &SplitCounts) {
    out.push_str("\n### Most frequent diagnostics\n\n");
    if split.diagnostics.is_empty() {
        out.push_str("None.\n");
        return;
    }
    table(out, &["code", "severity", "rows", "diagnostics"], "llrr");
    for (code, c) in split.top(TOP) {
        line(out, &[code.to_owned(), c.severity.to_string(), with_share(c.rows, split.rows), c.count.to_string()]);
    }
    if split.diagnostics.len() > TOP {
        let _ = writeln!(out, "\n{} more codes occur less often.", split.diagnostics.len() - TOP);
    }
}

/// `674 (67.3 %)`; the number alone where there is nothing to be a share of.
pub(crate) fn with_share(n: u64, of: u64) -> String {
    match share(n, of) {
        Some(share) => format!("{n} ({share})"),
        None => n.to_string(),
    }
}

/// `67.3 %`, rounded half up; `None` for a share of nothing.
pub(crate) fn share(n: u64, of: u64) -> Option<String> {
    let per_mille = (u128::from(n) * 2000 + u128::from(of)).checked_div(2 * u128::from(of))?;
    Some(format!("{}.{} %", per_mille / 10, per_mille % 10))
}

/// The first digits of a hash, enough to compare by eye.
pub(crate) fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

fn table(out: &mut String, header: &[&str], align: &str) {
    line(out, header);
    let rules: Vec<_> = align.chars().map(|c| if c == 'r' { "--:" } else { ":--" }).collect();
    line(out, &rules);
}

fn line<T: AsRef<str>>(out: &mut String, cells: &[T]) {
    for cell in cells {
        out.push_str("| ");
        out.push_str(cell.as_ref());
        out.push(' ');
    }
    out.push_str("|\n");
}

/// A text from outside as the text of one cell.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '\\' | '`' | '*' | '_' | '<' | '[' | ']' | '#' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::testing::rows;
    use crate::emit::testing_run::run_info;

    #[test]
    fn the_summary() {
        let mut counts = Counts::default();
        rows().iter().for_each(|row| counts.add(row));
        insta::assert_snapshot!(summary_markdown(&run_info(), &counts), @"
        # Summary

        refolio 0.0.0, schema version 4; prover: Vampire 5.0.0 (bundled); fixes: safe; configuration `1cb11f19ff0e`.

        | input | split | rows | format | dialect | SHA-256 |
        | :-- | :-- | --: | :-- | :-- | :-- |
        | train.jsonl | train | 9 | jsonl | folio-v2 | `abababababab` |
        | validation.jsonl | validation | 2 | jsonl | folio-v2 | `abababababab` |

        ## Outcome

        | split | rows | verified | repaired | relabelled | problematic | unjudged |
        | :-- | --: | --: | --: | --: | --: | --: |
        | train | 9 | 2 (22.2 %) | 1 (11.1 %) | 0 (0.0 %) | 5 (55.6 %) | 1 (11.1 %) |
        | validation | 3 | 1 (33.3 %) | 1 (33.3 %) | 1 (33.3 %) | 0 (0.0 %) | 0 (0.0 %) |
        | *published: FOLIO v2 train* | 1001 | 674 (67.3 %) | 23 (2.3 %) | – | 304 (30.4 %) | – |

        ## Labels that logic does not support

        *Contradicted*: labelled `True` or `False` where the opposite is proved, or `Uncertain` where either is. *Unsupported*: labelled `True` or `False` where it was shown that neither follows. Shares are of labelled rows.

        | split | labelled | contradicted as it came | as it leaves | unsupported as it came | as it leaves |
        | :-- | --: | --: | --: | --: | --: |
        | train | 7 | 1 (14.3 %) | 1 (14.3 %) | 1 (14.3 %) | 1 (14.3 %) |
        | validation | 3 | 1 (33.3 %) | 0 (0.0 %) | 0 (0.0 %) | 0 (0.0 %) |
        | *published: FOLIO v2 train, label errors* | – | 3.8 % | – | – | – |
        | *published: FOLIO v2 validation, label errors* | – | 1.5 % | – | – | – |

        The published figures are for the whole of FOLIO v2 (train 1001 rows, validation 203), with another parser, a language model as repairer and some labels changed. The shares compare only with a split of the same rows, and `problematic` there means left over after that repair. A published label error is a label that was changed; a contradicted label here is one whose opposite the formulas prove, which a wrong formula brings about as easily as a wrong label. Agreement says that formulas and label fit, not that the formulas say what the sentences say.

        ## Split train

        ### Agreement of verdict and label

        | agreement | as it came | as it leaves |
        | :-- | --: | --: |
        | agree | 2 (22.2 %) | 3 (33.3 %) |
        | conflict | 2 (22.2 %) | 2 (22.2 %) |
        | inconsistent | 1 (11.1 %) | 1 (11.1 %) |
        | unparsed | 1 (11.1 %) | 0 (0.0 %) |
        | undetermined | 1 (11.1 %) | 1 (11.1 %) |
        | unformalised | 1 (11.1 %) | 1 (11.1 %) |
        | unlabelled | 1 (11.1 %) | 1 (11.1 %) |

        ### What verdicts rest on

        | evidence | rows |
        | :-- | --: |
        | certificate | 9 (100.0 %) |

        ### Label × verdict, as the rows leave

        | label | True | False | Uncertain | Inconsistent | Unformalised | Undetermined | all |
        | :-- | --: | --: | --: | --: | --: | --: | --: |
        | True | 2 | 1 | 0 | 0 | 0 | 0 | 3 |
        | False | 0 | 0 | 1 | 1 | 0 | 0 | 2 |
        | Uncertain | 0 | 0 | 1 | 0 | 0 | 1 | 2 |
        | none | 0 | 0 | 1 | 0 | 1 | 0 | 2 |

        ### Label × verdict, as the rows came

        | label | True | False | Uncertain | Inconsistent | Unparsed | Unformalised | Undetermined | all |
        | :-- | --: | --: | --: | --: | --: | --: | --: | --: |
        | True | 1 | 1 | 0 | 0 | 1 | 0 | 0 | 3 |
        | False | 0 | 0 | 1 | 1 | 0 | 0 | 0 | 2 |
        | Uncertain | 0 | 0 | 1 | 0 | 0 | 0 | 1 | 2 |
        | none | 0 | 0 | 1 | 0 | 0 | 1 | 0 | 2 |

        ### Most frequent diagnostics

        | code | severity | rows | diagnostics |
        | :-- | :-- | --: | --: |
        | I001 | error | 1 (11.1 %) | 1 |
        | R401 | info | 1 (11.1 %) | 1 |
        | S101 | error | 1 (11.1 %) | 1 |

        ## Split validation

        ### Agreement of verdict and label

        | agreement | as it came | as it leaves |
        | :-- | --: | --: |
        | agree | 1 (33.3 %) | 3 (100.0 %) |
        | conflict | 1 (33.3 %) | 0 (0.0 %) |
        | unparsed | 1 (33.3 %) | 0 (0.0 %) |

        ### What verdicts rest on

        | evidence | rows |
        | :-- | --: |
        | certificate | 3 (100.0 %) |

        ### Label × verdict, as the rows leave

        | label | True | False | Uncertain | all |
        | :-- | --: | --: | --: | --: |
        | True | 3 | 0 | 0 | 3 |

        ### Label × verdict, as the rows came

        | label | True | False | Uncertain | Unparsed | all |
        | :-- | --: | --: | --: | --: | --: |
        | True | 1 | 0 | 0 | 1 | 2 |
        | False | 1 | 0 | 0 | 0 | 1 |

        ### Most frequent diagnostics

        | code | severity | rows | diagnostics |
        | :-- | :-- | --: | --: |
        | R401 | info | 1 (33.3 %) | 1 |
        | S101 | error | 1 (33.3 %) | 1 |
        ");
    }

    #[test]
    fn shares_are_rounded_half_up() {
        assert_eq!(share(674, 1001).as_deref(), Some("67.3 %"));
        assert_eq!(share(23, 1001).as_deref(), Some("2.3 %"));
        assert_eq!(share(304, 1001).as_deref(), Some("30.4 %"));
        assert_eq!(share(1, 2000).as_deref(), Some("0.1 %"));
        assert_eq!(share(3, 3).as_deref(), Some("100.0 %"));
        assert_eq!(share(0, 0), None);
    }

    #[test]
    fn a_run_without_rows_still_says_what_it_read() {
        let text = summary_markdown(&run_info(), &Counts::default());
        assert!(text.contains("| train.jsonl | train | 9 |"), "{text}");
    }

    #[test]
    fn names_from_outside_cannot_break_a_table() {
        assert_eq!(cell("a|b\n`c`"), "a\\|b \\`c\\`");
    }
}
