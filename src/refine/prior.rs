//! Formulas of another version of a dataset, offered as repairs where their sentence is the same.

use std::collections::HashMap;

use crate::record::Record;

/// What another version writes for each sentence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prior {
    /// By sentence, without regard to spaces.
    formulas: HashMap<String, Vec<String>>,
}

impl Prior {
    /// Gathers the formulas of records, each beside its sentence. Records whose sentences and formulas are not as many tell
    /// nothing of their premises.
    #[must_use]
    pub fn new(records: &[Record]) -> Self {
        let mut out = Self::default();
        for record in records {
            if record.premises.len() == record.premises_fol.len() {
                for (sentence, formula) in record.premises.iter().zip(&record.premises_fol) {
                    out.add(sentence, formula);
                }
            }
            if let Some(formula) = &record.conclusion_fol {
                out.add(&record.conclusion, formula);
            }
        }
        out
    }

    fn add(&mut self, sentence: &str, formula: &str) {
        let key = plain(sentence);
        if key.is_empty() || formula.trim().is_empty() {
            return;
        }
        let formulas = self.formulas.entry(key).or_default();
        if !formulas.iter().any(|known| known == formula) {
            formulas.push(formula.to_owned());
        }
    }

    /// The formulas of a sentence, in the order in which they came.
    #[must_use]
    pub fn of(&self, sentence: &str) -> &[String] {
        self.formulas.get(&plain(sentence)).map(Vec::as_slice).unwrap_or_default()
    }

    /// How many sentences have a formula.
    #[must_use]
    pub fn len(&self) -> usize {
        self.formulas.len()
    }

    /// Whether no sentence has one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.formulas.is_empty()
    }
}

fn plain(sentence: &str) -> String {
    sentence.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_found_by_their_sentence() {
        let record = |sentence: &str, formula: &str| Record {
            premises: vec![sentence.to_owned()],
            premises_fol: vec![formula.to_owned()],
            conclusion: "Ida sleeps.".to_owned(),
            conclusion_fol: Some("Sleep(ida)".to_owned()),
            ..Record::default()
        };
        let prior = Prior::new(&[record("Ida  bakes.", "Bake(ida)"), record("Ida bakes.", "Baker(ida)")]);
        assert_eq!(prior.of("Ida bakes. "), ["Bake(ida)", "Baker(ida)"]);
        assert_eq!(prior.of("Ida sleeps."), ["Sleep(ida)"]);
        assert_eq!(prior.of("Ida wakes."), [""; 0]);
        assert_eq!((prior.len(), prior.is_empty()), (2, false));
        // Without as many formulas as sentences nobody knows which belongs to which.
        let mut torn = record("Ida bakes.", "Bake(ida)");
        torn.premises.push("More.".to_owned());
        assert_eq!(Prior::new(&[torn]).of("Ida bakes."), [""; 0]);
    }
}
