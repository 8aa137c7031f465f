//! The rules of this family.

use crate::diagnostic::{Applicability, Severity};
use crate::lint::{Example, Family, Rule};

pub(super) const ARITY: Rule = Rule {
    code: "N201",
    name: "arity-clash",
    family: Family::Names,
    severity: Severity::Warning,
    summary: "One symbol with different numbers of arguments in one record",
    explanation: "A predicate (or function) has one number of arguments in one annotation and another elsewhere in the \
        record. To a prover these are two unrelated symbols, so whatever was meant to connect the annotations is lost; \
        some provers refuse the whole problem. refolio lowers them as two symbols and says so here. The number with \
        more uses, then the one used first, is taken as the intended one.",
    examples: &[Example {
        bad: "∀x (Parcel(x) → Handed(x, clerk))\n∴ Handed(anna, clerk, noon)",
        good: Some("∀x (Parcel(x) → Handed(x, clerk))\n∴ Handed(anna, clerk)"),
    }],
    fix: None,
};

pub(super) const ROLE: Rule = Rule {
    code: "N202",
    name: "predicate-and-individual",
    family: Family::Names,
    severity: Severity::Warning,
    summary: "One name both as a predicate and as an individual or function",
    explanation: "A name stands before arguments as a predicate in one place and as a term in another. To a prover these \
        are two unrelated symbols, so nothing that is said with one bears on the other.",
    examples: &[Example {
        bad: "∀x (Cooks(x) → healthy(x))\n∴ Is(ida, healthy)",
        good: Some("∀x (Cooks(x) → healthy(x))\n∴ healthy(ida)"),
    }],
    fix: None,
};

pub(super) const CASE: Rule = Rule {
    code: "N203",
    name: "differs-in-case",
    family: Family::Names,
    severity: Severity::Warning,
    summary: "Two names of one record that differ only in upper and lower case",
    explanation: "Two predicates, or two individuals, of one record have the same letters but for their case. To a prover \
        they are unrelated, which mostly breaks a chain that the author meant to hold. The spelling of more uses, then \
        the earlier one, is taken as the intended one. The fix writes it throughout the annotation; it is unsafe, because \
        two things may have been meant.",
    examples: &[Example {
        bad: "Painter(annaKowalska)\n∴ Painter(annakowalska)",
        good: Some("Painter(annaKowalska)\n∴ Painter(annaKowalska)"),
    }],
    fix: Some(Applicability::Unsafe),
};

pub(super) const PUNCTUATION: Rule = Rule {
    code: "N204",
    name: "differs-in-punctuation",
    family: Family::Names,
    severity: Severity::Warning,
    summary: "Two names of one record that differ only in punctuation",
    explanation: "Two predicates, or two individuals, of one record are equal without `_`, `-`, `.`, apostrophes, spaces \
        and case. As with `differs-in-case`, a prover takes them for unrelated, and the fix writes the spelling of more \
        uses; it is unsafe, because two things may have been meant.",
    examples: &[Example {
        bad: "∀x (Part-timer(x) → Tired(x))\n∴ PartTimer(ida)",
        good: Some("∀x (PartTimer(x) → Tired(x))\n∴ PartTimer(ida)"),
    }],
    fix: Some(Applicability::Unsafe),
};

pub(super) const INFLECTION: Rule = Rule {
    code: "N205",
    name: "differs-in-ending",
    family: Family::Names,
    severity: Severity::Warning,
    summary: "Two names of one record that differ only in a plural or verb ending",
    explanation: "Two predicates, or two individuals, of one record are forms of the same words, such as `Sleep` and \
        `Sleeps` or `highSchoolDance` and `highSchoolDances`. A prover takes them for unrelated. The fix writes the \
        spelling of more uses; it is unsafe, because two things may have been meant (`Paint` and `Painted`).",
    examples: &[Example {
        bad: "∀x (Cat(x) → Sleeps(x))\n∴ Sleep(tom)",
        good: Some("∀x (Cat(x) → Sleeps(x))\n∴ Sleeps(tom)"),
    }],
    fix: Some(Applicability::Unsafe),
};

pub(super) const TYPO: Rule = Rule {
    code: "N206",
    name: "differs-in-letters",
    family: Family::Names,
    severity: Severity::Warning,
    summary: "Two names of one record that differ in one or two letters",
    explanation: "Two predicates, or two individuals, that no annotation uses together are one slip of the pen apart: one \
        letter in names of five to seven letters, one or two in longer ones (left out, added, exchanged or swapped; \
        Damerau–Levenshtein distance). Records of more than 400 distinct symbols are not searched for such pairs. Pairs that differ in a number, an ordinal, a direction, a short word or a \
        negating prefix are left alone. The fix writes the spelling of more uses; it is unsafe, because names that look \
        alike can mean different things.",
    examples: &[Example {
        bad: "∀x (Owns(x, horseRanch) → Rich(x))\n∴ Owns(ida, horseRank)",
        good: Some("∀x (Owns(x, horseRanch) → Rich(x))\n∴ Owns(ida, horseRanch)"),
    }],
    fix: Some(Applicability::Unsafe),
};

/// The code of [`PACKED`].
pub(crate) const PACKED_CODE: &str = PACKED.code;

pub(super) const PACKED: Rule = Rule {
    code: "N207",
    name: "packed-argument",
    family: Family::Names,
    severity: Severity::Warning,
    summary: "A predicate's name holds what another annotation writes as an argument",
    explanation: "`HaveAHorseRanch(x)` beside `Have(x, horseRanch)`: the same thing is said once with a predicate of its \
        own and once with a predicate and an argument. To a prover these are unrelated. Where the argument is all that \
        the packed form lacks, the fix writes the form with the argument; it is unsafe, because it decides what the \
        author meant.",
    examples: &[Example {
        bad: "∀x (Have(x, horseRanch) → Rich(x))\n∴ HaveAHorseRanch(manny)",
        good: Some("∀x (Have(x, horseRanch) → Rich(x))\n∴ Have(manny, horseRanch)"),
    }],
    fix: Some(Applicability::Unsafe),
};

pub(super) const UNMENTIONED: Rule = Rule {
    code: "N208",
    name: "unmentioned-symbol",
    family: Family::Names,
    severity: Severity::Info,
    summary: "A symbol of the conclusion that no premise mentions",
    explanation: "The conclusion has a predicate or an individual that stands in no premise. That is right where the \
        conclusion is meant to be undecided, and a broken link where it is not: the premises can say nothing about a \
        symbol they do not have. Symbols that another rule of this family speaks of already are not repeated here.",
    examples: &[Example {
        bad: "∀x (Baker(x) → RisesEarly(x))\nBaker(ida)\n∴ Punctual(ida)",
        good: Some("∀x (Baker(x) → RisesEarly(x))\nBaker(ida)\n∴ RisesEarly(ida)"),
    }],
    fix: None,
};

/// The rules of this family.
pub static RULES: &[Rule] = &[ARITY, ROLE, CASE, PUNCTUATION, INFLECTION, TYPO, PACKED, UNMENTIONED];
