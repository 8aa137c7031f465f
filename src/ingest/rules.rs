//! What can be wrong with one row of a file: documentation of the codes that the readers give.

use crate::diagnostic::Severity;
use crate::lint::{Example, Family, Rule};

/// The premises have more sentences than formulas, or fewer.
pub(super) const UNEQUAL_COUNTS: Rule = Rule {
    code: "R101",
    name: "unequal-counts",
    family: Family::Row,
    severity: Severity::Warning,
    summary: "the premises have unequal numbers of sentences and formulas",
    explanation: "Each sentence among the premises should have one formula. Where the counts differ, no formula can \
                  be matched with its sentence: one was left out, split or merged somewhere. The formulas are still \
                  parsed and the record is still verified, because logic needs no sentences; but nothing that compares \
                  a sentence with its formula is checked. Only a record of which no premise has a formula is \
                  `Unformalised`: what follows from no premises says nothing of its label. Blank lines in a block of joined lines do not count. An empty \
                  item of a list does, except that empty formulas behind that of the last sentence are left out.",
    examples: &[Example {
        bad: "premises: [\"All cats purr.\", \"Tom is a cat.\"], premises-FOL: [\"∀x (Cat(x) → Purr(x))\"]",
        good: Some(
            "premises: [\"All cats purr.\", \"Tom is a cat.\"], premises-FOL: [\"∀x (Cat(x) → Purr(x))\", \"Cat(tom)\"]",
        ),
    }],
    fix: None,
};

/// The label is none of the words known.
pub(super) const UNKNOWN_LABEL: Rule = Rule {
    code: "R102",
    name: "unknown-label",
    family: Family::Row,
    severity: Severity::Error,
    summary: "the label is none of True, False, Uncertain and Unknown",
    explanation: "A label says whether the premises entail the conclusion (`True`), its negation (`False`) or neither \
                  (`Uncertain`, for which `Unknown` is another word). Any other text is kept as it came, but it is \
                  not guessed at: the record is verified and counts as unlabelled. In multiple-choice datasets the \
                  letter of the answer is looked up among the options of its own row.",
    examples: &[Example { bad: "label: \"Yes\"", good: Some("label: \"True\"") }],
    fix: None,
};

/// Two rows have one id.
pub(super) const DUPLICATE_ID: Rule = Rule {
    code: "R103",
    name: "duplicate-id",
    family: Family::Row,
    severity: Severity::Warning,
    summary: "another row has the same id",
    explanation: "The dataset gives one id to several rows, in one file or in several. Each is kept under the id that \
                  it came with, and its `record_id` is made unique by appending a part of the hash of its content, \
                  so that results can still be told apart. Rows that are alike in every word are numbered as well.",
    examples: &[Example {
        bad: "{\"example_id\": 7, …} and, further on, {\"example_id\": 7, …}",
        good: Some("{\"example_id\": 7, …} and, further on, {\"example_id\": 8, …}"),
    }],
    fix: None,
};

/// The bytes are not text.
pub(super) const INVALID_UTF8: Rule = Rule {
    code: "R104",
    name: "invalid-utf8",
    family: Family::Row,
    severity: Severity::Error,
    summary: "the row is not valid UTF-8",
    explanation: "Every format but Parquet is read as UTF-8. A row with other bytes, often from a file saved in Latin-1 \
                  or cut and joined inside a character, is not decoded by guess: its bytes are kept as they came, \
                  and the other rows are read as usual. Convert the file to UTF-8.",
    examples: &[Example { bad: "caf\\xE9 (Latin-1)", good: Some("café (UTF-8)") }],
    fix: None,
};

/// The file ends inside the row.
pub(super) const TRUNCATED: Rule = Rule {
    code: "R105",
    name: "truncated-row",
    family: Family::Row,
    severity: Severity::Error,
    summary: "the file ends in the middle of this row",
    explanation: "The last row stops before it is complete, as after a broken download or a full disk. What is there is \
                  kept as it came. Rows that should have followed are missing: compare the size or the hash \
                  of the file with those of its publisher.",
    examples: &[Example {
        bad: "{\"premises\": \"All cats purr.\", \"concl",
        good: Some("{\"premises\": \"All cats purr.\", \"conclusion\": \"Tom purrs.\", …}"),
    }],
    fix: None,
};

/// A field is absent, null or of another type.
pub(super) const BAD_FIELD: Rule = Rule {
    code: "R106",
    name: "bad-field",
    family: Family::Row,
    severity: Severity::Error,
    summary: "a field that a record needs is missing, null or of the wrong type",
    explanation: "Premises, their formulas and the conclusion must be there in every row: premises as a list of texts, \
                  as one text with a line for each, or as an object from sentences to formulas; the conclusion as one \
                  text; ids as texts or numbers. A row without one of them is kept as it came and not verified. A field \
                  that no row of a file has is reported once, for the file. A conclusion's formula may be null: then \
                  there is nothing to prove, and the record is `Unformalised`.",
    examples: &[Example {
        bad: "{\"premises\": null, \"premises-FOL\": [\"Cat(tom)\"], \"conclusion\": \"Tom purrs.\", …}",
        good: Some(
            "{\"premises\": [\"Tom is a cat.\"], \"premises-FOL\": [\"Cat(tom)\"], \"conclusion\": \"Tom purrs.\", …}",
        ),
    }],
    fix: None,
};

/// The row breaks the rules of its format.
pub(super) const MALFORMED: Rule = Rule {
    code: "R107",
    name: "malformed-row",
    family: Family::Row,
    severity: Severity::Error,
    summary: "the row breaks the syntax of its format",
    explanation: "A line of JSONL or an item of a JSON array is not a JSON object, an object has one name twice, or a row \
                  of a CSV has more or fewer fields than its header. The row's text is kept as it came, and the \
                  other rows are read as usual. In a CSV the usual cause is a quotation mark or a comma \
                  inside a field without quotation marks.",
    examples: &[
        Example {
            bad: "{\"label\": \"True\" \"example_id\": 7}",
            good: Some("{\"label\": \"True\", \"example_id\": 7}"),
        },
        Example { bad: "Cat(tom), Purr(tom),True", good: Some("\"Cat(tom), Purr(tom)\",True") },
    ],
    fix: None,
};

/// The label's column is there, the label is not.
pub(super) const MISSING_LABEL: Rule = Rule {
    code: "R108",
    name: "missing-label",
    family: Family::Row,
    severity: Severity::Warning,
    summary: "the row has no label although its file has labels",
    explanation: "The label is absent, null or empty in this row while the dataset has a field for it. The record is \
                  verified and counts as unlabelled: there is nothing that the verdict could agree with.",
    examples: &[Example { bad: "label: null", good: Some("label: \"Uncertain\"") }],
    fix: None,
};

/// The rules of this module, by code.
pub static RULES: &[Rule] =
    &[UNEQUAL_COUNTS, UNKNOWN_LABEL, DUPLICATE_ID, INVALID_UTF8, TRUNCATED, BAD_FIELD, MALFORMED, MISSING_LABEL];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_unique_and_in_order() {
        let codes: Vec<_> = RULES.iter().map(|r| r.code).collect();
        assert_eq!(codes, ["R101", "R102", "R103", "R104", "R105", "R106", "R107", "R108"]);
        let names: std::collections::BTreeSet<_> = RULES.iter().map(|r| r.name).collect();
        assert_eq!(names.len(), RULES.len());
        for rule in RULES {
            assert_eq!(rule.family, Family::Row);
            assert!(!rule.examples.is_empty(), "{} has no example", rule.code);
            assert!(!rule.summary.ends_with('.') && !rule.explanation.contains("  "), "{}", rule.code);
        }
    }
}
