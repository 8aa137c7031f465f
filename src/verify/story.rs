//! What only shows when all records of a story are seen together.

use crate::diagnostic::{Diagnostic, Span, Target};
use crate::lint::logic;
use crate::record::{Record, Row, Verdict};

/// Whether two records belong to one story: the dataset gives them one id, or none, and they have the same premises, which
/// are formalised.
#[must_use]
pub fn same_story(a: &Record, b: &Record) -> bool {
    a.is_readable() && b.is_readable() && !a.premises_fol.is_empty() && a.story_id == b.story_id && a.same_story(b)
}

/// The premises that no verdict of a story needs, as findings that hold for each of its records. `rows` are all records of
/// the story.
///
/// Nothing is said unless logic gave every record a verdict, and one of them needs premises; nor where the premises
/// contradict each other, for then no verdict is about a conclusion.
#[must_use]
pub fn unused_premises(rows: &[&Row]) -> Vec<Diagnostic> {
    let Some(first) = rows.first() else { return Vec::new() };
    let count = first.premises_fol.len();
    let told = |row: &&&Row| match row.verdict {
        Verdict::True | Verdict::False => row.used_premises.is_some(),
        Verdict::Uncertain => row.evidence.is_some(),
        Verdict::Inconsistent | Verdict::Unparsed | Verdict::Unformalised | Verdict::Undetermined => false,
    };
    if rows.iter().filter(told).count() < rows.len() || rows.iter().any(|row| row.premises_fol.len() != count) {
        return Vec::new();
    }
    let mut used = vec![false; count];
    for premise in rows.iter().filter_map(|row| row.used_premises.as_ref()).flatten() {
        if let Some(used) = used.get_mut(*premise as usize) {
            *used = true;
        }
    }
    if used.iter().all(|used| !used) {
        return Vec::new();
    }
    let unused = used.iter().enumerate().filter(|(_, used)| !**used);
    unused
        .map(|(i, _)| {
            let target = Target::Premise(i);
            let length = first.record.text(target).map_or(0, str::len);
            logic::unused_premise(target, Span::new(0, length), rows.len())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Agreement, Grade, Status};

    fn row(verdict: Verdict, used: Option<&[u32]>) -> Row {
        let record = Record {
            premises_fol: ["P(a)", "∀x (P(x) → Q(x))", "R(a)"].map(str::to_owned).to_vec(),
            ..Record::default()
        };
        let evidence = if used.is_some() { Grade::Certificate } else { Grade::Models };
        Row {
            premises_fol: record.premises_fol.clone(),
            conclusion_fol: Some("Q(a)".to_owned()),
            record,
            status: Status::Verified,
            verdict,
            agreement: Agreement::Agree,
            verdict_original: verdict,
            agreement_original: Agreement::Agree,
            verdict_reason: None,
            szs_consistency: None,
            szs_entails: None,
            szs_refutes: None,
            used_premises: used.map(<[u32]>::to_vec),
            models: None,
            evidence: Some(evidence),
            proof: None,
            signals: Vec::new(),
            edits: Vec::new(),
            diagnostics: Vec::new(),
            proposals: Vec::new(),
            proposed_label: None,
            critique: None,
            presuppositions: Vec::new(),
            symbols: Vec::new(),
            iterations: 0,
            review_score: None,
            review_reason: None,
        }
    }

    fn told(rows: &[Row]) -> Vec<String> {
        let rows: Vec<&Row> = rows.iter().collect();
        unused_premises(&rows).iter().map(|d| format!("{} {} {:?} {}", d.code, d.target, d.span, d.message)).collect()
    }

    #[test]
    fn what_no_record_needs_is_told() {
        let rows = [row(Verdict::True, Some(&[0])), row(Verdict::Uncertain, None), row(Verdict::False, Some(&[0, 1]))];
        assert_eq!(
            told(&rows),
            ["L504 premise[2] Span { start: 0, end: 4 } no verdict on the story's 3 records needs this premise"]
        );
        assert_eq!(told(&[row(Verdict::True, Some(&[0, 1, 2]))]), [""; 0]);
    }

    #[test]
    fn nothing_is_told_before_all_is_known() {
        let known = || row(Verdict::True, Some(&[0]));
        let mut shorter = known();
        shorter.premises_fol.pop();
        for other in [
            row(Verdict::Undetermined, None),
            row(Verdict::Unparsed, None),
            row(Verdict::Unformalised, None),
            row(Verdict::Inconsistent, Some(&[0])),
            row(Verdict::True, None),
            shorter,
        ] {
            assert_eq!(told(&[known(), other.clone()]), [""; 0], "{:?}", other.verdict);
        }
        // Models of all premises need none of them.
        assert_eq!(told(&[row(Verdict::Uncertain, None)]), [""; 0]);
        assert_eq!(told(&[]), [""; 0]);
    }
}
