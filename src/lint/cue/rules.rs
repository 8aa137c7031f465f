//! The rules of this family.

use crate::diagnostic::Severity;
use crate::lint::{Example, Family, Rule};

pub(super) const EITHER: Rule = Rule {
    code: "C401",
    name: "either-without-xor",
    family: Family::Cue,
    severity: Severity::Info,
    summary: "The sentence says “either … or” and the formula has no exclusive or",
    explanation: "“Either A or B” mostly excludes that both hold, which FOLIO writes `A ⊕ B`. The formula has neither `⊕` \
        nor another way to exclude both (`↔`, or `∨` beside a negated `∧`). “Or both” in the sentence, and “not … \
        either”, are no finding.",
    examples: &[Example {
        bad: "Ida is either a baker or a painter. ::: Baker(ida) ∨ Painter(ida)",
        good: Some("Ida is either a baker or a painter. ::: Baker(ida) ⊕ Painter(ida)"),
    }],
    fix: None,
};

pub(super) const NEITHER: Rule = Rule {
    code: "C402",
    name: "neither-without-negation",
    family: Family::Cue,
    severity: Severity::Warning,
    summary: "The sentence says “neither … nor” and nothing in the formula is negated",
    explanation: "“Neither A nor B” denies both: `¬A ∧ ¬B`. The formula has no `¬`, no `≠`, and no name that holds a \
        negation (such as `Unaware`). A formula with `↔` is no finding: “both or neither” is an equivalence.",
    examples: &[Example {
        bad: "Ida is neither tall nor shy. ::: Tall(ida) ∨ Shy(ida)",
        good: Some("Ida is neither tall nor shy. ::: ¬Tall(ida) ∧ ¬Shy(ida)"),
    }],
    fix: None,
};

pub(super) const UNLESS: Rule = Rule {
    code: "C403",
    name: "unless-without-condition",
    family: Family::Cue,
    severity: Severity::Warning,
    summary: "The sentence says “unless” and the formula has no condition",
    explanation: "“A unless B” is `¬B → A`, that is `A ∨ B`. The formula has none of `→`, `↔`, `∨`, `⊕`.",
    examples: &[Example {
        bad: "Ida walks unless it rains. ::: Walks(ida) ∧ ¬Rains(today)",
        good: Some("Ida walks unless it rains. ::: ¬Rains(today) → Walks(ida)"),
    }],
    fix: None,
};

pub(super) const ONLY: Rule = Rule {
    code: "C404",
    name: "only-without-restriction",
    family: Family::Cue,
    severity: Severity::Info,
    summary: "The sentence says “only” and the formula restricts nothing",
    explanation: "“Only A are B” is `∀x (B(x) → A(x))`; “the only A is b” is `∀x (A(x) → x = b)`. The \
        formula has no `→`, `↔`, `∀`, negated `∃`, and no equation, so nothing is excluded. “Not only”, “only if” \
        and “only” inside a name of the formula are no finding.",
    examples: &[Example {
        bad: "Ida only drinks tea. ::: Drinks(ida, tea)",
        good: Some("Ida only drinks tea. ::: ∀x (Drinks(ida, x) → x = tea)"),
    }],
    fix: None,
};

pub(super) const ONLY_DIRECTION: Rule = Rule {
    code: "C405",
    name: "only-converse",
    family: Family::Cue,
    severity: Severity::Warning,
    summary: "“Only A are B” written as “all A are B”",
    explanation: "“Only members may vote” says that who votes is a member, `∀x (Vote(x) → Member(x))`. The formula has the \
        word after “only” on the left of `→`, and not on the right, which says that every member votes.",
    examples: &[Example {
        bad: "Only members may vote. ::: ∀x (Member(x) → Vote(x))",
        good: Some("Only members may vote. ::: ∀x (Vote(x) → Member(x))"),
    }],
    fix: None,
};

pub(super) const NEGATION: Rule = Rule {
    code: "C406",
    name: "missing-negation",
    family: Family::Cue,
    severity: Severity::Warning,
    summary: "The sentence has a negation and the formula has none",
    explanation: "The sentence says “no”, “not”, “never”, “nobody”, “none”, “nothing”, “cannot” or “…n't”, and the formula \
        has no `¬`, no `≠` and no name that holds a negation (`NotX`, `Unaware`, `Non…`, `noPlan`, `Fails`). “No. 9”, \
        “not only”, “whether or not”, “but not both” beside `⊕`, and two negations that may cancel each other are no \
        finding.",
    examples: &[Example { bad: "Ida is not tall. ::: Tall(ida)", good: Some("Ida is not tall. ::: ¬Tall(ida)") }],
    fix: None,
};

pub(super) const UNIVERSAL: Rule = Rule {
    code: "C407",
    name: "missing-universal",
    family: Family::Cue,
    severity: Severity::Warning,
    summary: "The sentence speaks of all and the formula has no universal quantifier",
    explanation: "The sentence says “all”, “every”, “each”, “any”, “everyone” and the like, and the formula has no `∀` (nor \
        an `∃` under a negation, which comes to the same). Spans of time (“every week”), “not all” beside `∃`, lists \
        of named individuals, and a cue that a name of the formula holds are no finding.",
    examples: &[Example {
        bad: "All bakers rise early. ::: ∃x (Baker(x) ∧ RisesEarly(x))",
        good: Some("All bakers rise early. ::: ∀x (Baker(x) → RisesEarly(x))"),
    }],
    fix: None,
};

pub(super) const EXISTENTIAL: Rule = Rule {
    code: "C408",
    name: "missing-existential",
    family: Family::Cue,
    severity: Severity::Warning,
    summary: "The sentence speaks of some and the formula has no existential quantifier",
    explanation: "The sentence starts with “some” or says “there is a”, “there are some”, “there exists”, “at least one”, and \
        the formula has no `∃` (nor a `∀` under a negation) and, unless it has a `∀` after “some”, no named individual \
        either. Conditions (“if there is a …”) and negated sentences are no finding.",
    examples: &[Example {
        bad: "Some bakers rise early. ::: ∀x (Baker(x) → RisesEarly(x))",
        good: Some("Some bakers rise early. ::: ∃x (Baker(x) ∧ RisesEarly(x))"),
    }],
    fix: None,
};

pub(super) const NUMBER: Rule = Rule {
    code: "C409",
    name: "missing-number",
    family: Family::Cue,
    severity: Severity::Info,
    summary: "A number of the sentence that the formula does not have",
    explanation: "The sentence has a number, in digits or as a word from “two” to “twelve”, “hundred”, “thousand”, “million” \
        or “billion”, that is part of no name of the formula. Small numbers that the formula may count out (by \
        equations, by that many quantified variables, operands or individuals) are no finding. Leaving a number out \
        may be right, but two sentences that differ in a number then have one formula.",
    examples: &[Example {
        bad: "Ida was born in 1984. ::: Born(ida)",
        good: Some("Ida was born in 1984. ::: BornIn(ida, year1984)"),
    }],
    fix: None,
};

pub(super) const CONDITION: Rule = Rule {
    code: "C410",
    name: "missing-condition",
    family: Family::Cue,
    severity: Severity::Warning,
    summary: "The sentence says “if” and the formula has no condition",
    explanation: "The sentence says “if”, and the formula has none of `→`, `↔`, `∨`, `⊕`. “As if” and “even if” are no \
        finding.",
    examples: &[Example {
        bad: "If Ida is tired, then she sleeps. ::: Tired(ida) ∧ Sleeps(ida)",
        good: Some("If Ida is tired, then she sleeps. ::: Tired(ida) → Sleeps(ida)"),
    }],
    fix: None,
};

/// The rules of this family.
pub static RULES: &[Rule] =
    &[EITHER, NEITHER, UNLESS, ONLY, ONLY_DIRECTION, NEGATION, UNIVERSAL, EXISTENTIAL, NUMBER, CONDITION];
