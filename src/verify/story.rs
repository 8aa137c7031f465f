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

/// Identifies the story of a record: two records have the same exactly if they are of the [`same_story`]; `None` for a
/// record that is of none.
pub(crate) fn story_of(record: &Record) -> Option<[u8; 16]> {
    (record.is_readable() && !record.premises_fol.is_empty()).then(|| record.named_story_key())
}

/// Findings of this kind that one record has at most.
const NAMED: usize = 1000;

/// The premises that no verdict of a story needs, as findings that hold for each of its records. `rows` are all records of
/// the story.
///
/// Nothing is said unless logic gave every record a verdict, and one of them needs premises; nor where the premises
/// contradict each other, for then no verdict is about a conclusion.
#[must_use]
pub fn unused_premises(rows: &[&Row]) -> Vec<Diagnostic> {
    let Some(first) = rows.first() else { return Vec::new() };
    let mut needs = Needs::default();
    rows.iter().for_each(|row| needs.add(row));
    needs.unused_premises(|i| first.record.text(Target::Premise(i)).map_or(0, str::len))
}

/// What the verdicts on the records of a story need, gathered record by record, in whatever order they come.
#[derive(Debug, Clone, Default)]
pub(crate) struct Needs {
    records: usize,
    premises: usize,
    /// A bit for each premise, with none after the last that is set.
    used: Vec<u64>,
    /// Whether what some record needs is not known, so that nothing can be said.
    open: bool,
}

impl Needs {
    /// Takes note of one more record.
    pub(crate) fn add(&mut self, row: &Row) {
        let told = match row.verdict {
            Verdict::True | Verdict::False => row.used_premises.is_some(),
            Verdict::Uncertain => row.evidence.is_some(),
            Verdict::Inconsistent | Verdict::Unparsed | Verdict::Unformalised | Verdict::Undetermined => false,
        };
        if self.records == 0 {
            self.premises = row.premises_fol.len();
        }
        self.records += 1;
        self.open |= !told || row.premises_fol.len() != self.premises;
        if self.open {
            self.used = Vec::new();
            return;
        }
        for premise in row.used_premises.iter().flatten().filter(|premise| (**premise as usize) < self.premises) {
            let (word, bit) = (*premise as usize / 64, *premise % 64);
            if self.used.len() <= word {
                self.used.resize(word + 1, 0);
            }
            if let Some(word) = self.used.get_mut(word) {
                *word |= 1 << bit;
            }
        }
    }

    fn uses(&self, premise: usize) -> bool {
        self.used.get(premise / 64).is_some_and(|word| word >> (premise % 64) & 1 == 1)
    }

    /// Premises that none needs, in order.
    fn unused(&self) -> impl Iterator<Item = usize> {
        let premises = if self.open || self.used.is_empty() { 0 } else { self.premises };
        (0..premises).filter(|premise| !self.uses(*premise))
    }

    /// Whether there is something to be said.
    pub(crate) fn is_any_unused(&self) -> bool {
        self.unused().next().is_some()
    }

    /// The findings, once all records of the story were added. `length` tells bytes of a premise's formula as it came.
    pub(crate) fn unused_premises(&self, length: impl Fn(usize) -> usize) -> Vec<Diagnostic> {
        let finding = |i| logic::unused_premise(Target::Premise(i), Span::new(0, length(i)), self.records);
        let mut found: Vec<Diagnostic> = self.unused().take(NAMED).map(finding).collect();
        let more = self.unused().skip(NAMED).count();
        if more > 0
            && let Some(last) = found.pop()
        {
            let premises = if more == 1 { "premise" } else { "premises" };
            found.push(last.hint(format!("nor {more} {premises} after it")));
        }
        found
    }
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
            label: None,
            decision: None,
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
            llm_model: None,
            prompt_version: None,
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
        // Whatever comes afterwards.
        assert_eq!(told(&[known(), row(Verdict::Undetermined, None), known()]), [""; 0]);
        // Models of all premises need none of them.
        assert_eq!(told(&[row(Verdict::Uncertain, None)]), [""; 0]);
        assert_eq!(told(&[]), [""; 0]);
    }
    #[test]
    fn of_very_many_the_last_that_is_named_tells_how_many_more_there_are() {
        let mut long = row(Verdict::True, Some(&[1, 64, 1002]));
        long.premises_fol = vec!["P(a)".to_owned(); 1005];
        let found = unused_premises(&[&long]);
        assert_eq!(found.len(), 1000);
        assert_eq!([0, 1, 62].map(|i| found[i].target), [0, 2, 63].map(Target::Premise));
        assert_eq!([63, 999].map(|i| found[i].target), [65, 1001].map(Target::Premise));
        assert_eq!(found[998].hint, None);
        assert_eq!(found[999].hint.as_deref(), Some("nor 2 premises after it"));
        long.premises_fol.truncate(1003);
        assert_eq!(unused_premises(&[&long])[999].hint, None);
    }

    #[test]
    fn records_of_one_story_have_its_key() {
        let record = row(Verdict::True, None).record;
        let changed = |change: &dyn Fn(&mut Record)| {
            let mut other = record.clone();
            change(&mut other);
            assert_eq!(same_story(&record, &other), story_of(&record) == story_of(&other), "{other:?}");
            story_of(&other)
        };
        assert_eq!(changed(&|r| r.conclusion_fol = Some("S(a)".to_owned())), story_of(&record));
        let others = [
            changed(&|r| r.story_id = Some(String::new())),
            changed(&|r| r.story_id = Some("1".to_owned())),
            changed(&|r| r.premises.push("A is P.".to_owned())),
            changed(&|r| _ = r.premises_fol.pop()),
            changed(&|r| r.premises_fol.clear()),
            changed(&|r| r.raw = Some(Vec::new())),
        ];
        assert!(others.iter().all(|key| *key != story_of(&record)), "{others:?}");
        assert_eq!(others[4..], [None, None]);
    }
}
