//! The rules of this family.

use crate::diagnostic::{Applicability, Severity};
use crate::lint::{Example, Family, Rule};

pub(super) const EXISTS_IMPLIES: Rule = Rule {
    code: "P301",
    name: "exists-implies",
    family: Family::Shape,
    severity: Severity::Warning,
    summary: "`∃x (P(x) → Q(x))`",
    explanation: "An implication directly under `∃` holds as soon as anything at all is not `P`, so it says almost \
        nothing. Either “some P is Q” was meant, which is `∃x (P(x) ∧ Q(x))`, or “every P is Q”, which is \
        `∀x (P(x) → Q(x))`. The fix takes the second under `∀` or where the sentence has a word such as “all”, “every”, \
        “only” or “if”, and else the first; it is unsafe, because it changes what the formula says.",
    examples: &[
        Example { bad: "∃x (Student(x) → Tired(x))", good: Some("∃x (Student(x) ∧ Tired(x))") },
        Example {
            bad: "If a student is late, the student is tired. ::: ∃x (Student(x) ∧ Late(x) → Tired(x))",
            good: Some("If a student is late, the student is tired. ::: ∀x (Student(x) ∧ Late(x) → Tired(x))"),
        },
    ],
    fix: Some(Applicability::Unsafe),
};

pub(super) const FORALL_AND: Rule = Rule {
    code: "P302",
    name: "forall-and",
    family: Family::Shape,
    severity: Severity::Warning,
    summary: "`∀x (P(x) ∧ Q(x))`, where `P` should restrict `x`",
    explanation: "A conjunction directly under `∀` says that everything there is has all the properties: \
        `∀x (Dog(x) ∧ Barks(x))` says that everything is a dog. Mostly the first property was meant to restrict the \
        variable, “every dog barks”, which is `∀x (Dog(x) → Barks(x))`. Found where the first operand is a plain \
        predicate of the variable. The fix writes `→` for the first `∧`; it is unsafe, because it changes what the \
        formula says.",
    examples: &[Example { bad: "∀x (Dog(x) ∧ Barks(x))", good: Some("∀x (Dog(x) → Barks(x))") }],
    fix: Some(Applicability::Unsafe),
};

pub(super) const XOR_CHAIN: Rule = Rule {
    code: "P303",
    name: "xor-chain",
    family: Family::Shape,
    severity: Severity::Warning,
    summary: "`A ⊕ B ⊕ C` is parity, not “exactly one”",
    explanation: "Exclusive or is binary. A chain of it holds when an odd number of its operands hold: `A ⊕ B ⊕ C` is \
        true when all three are. A sentence that lists alternatives mostly means “exactly one of them”. The fix spells \
        that out, `(A ∨ B ∨ C) ∧ ¬(A ∧ B) ∧ ¬(A ∧ C) ∧ ¬(B ∧ C)`, for up to six operands; it is unsafe, because it \
        changes what the formula says.",
    examples: &[Example {
        bad: "Red(car) ⊕ Green(car) ⊕ Blue(car)",
        good: Some(
            "(Red(car) ∨ Green(car) ∨ Blue(car)) ∧ ¬(Red(car) ∧ Green(car)) ∧ ¬(Red(car) ∧ Blue(car)) ∧ \
             ¬(Green(car) ∧ Blue(car))",
        ),
    }],
    fix: Some(Applicability::Unsafe),
};

pub(super) const MIXED: Rule = Rule {
    code: "P304",
    name: "mixed-operators",
    family: Family::Shape,
    severity: Severity::Info,
    summary: "`∧`, `∨` and `⊕` side by side without brackets",
    explanation: "Authors do not agree on whether `A ∧ B ∨ C` is `(A ∧ B) ∨ C`. refolio reads `∧` before `∨` and `⊕`, and \
        these two on one level from left to right. The message names the reading taken; the fix, for a person to \
        apply, puts the brackets of that reading.",
    examples: &[
        Example { bad: "Tall(ida) ∧ Kind(ida) ∨ Shy(ida)", good: Some("(Tall(ida) ∧ Kind(ida)) ∨ Shy(ida)") },
        Example { bad: "Tall(ida) ∨ Kind(ida) ⊕ Shy(ida)", good: Some("(Tall(ida) ∨ Kind(ida)) ⊕ Shy(ida)") },
    ],
    fix: Some(Applicability::DisplayOnly),
};

pub(super) const ARROWS: Rule = Rule {
    code: "P305",
    name: "arrow-chain",
    family: Family::Shape,
    severity: Severity::Warning,
    summary: "`→` and `↔` in a chain without brackets",
    explanation: "refolio reads `A → B → C` as `A → (B → C)`, `A ↔ B ↔ C` as `(A ↔ B) ↔ C`, and `→` before `↔`. None of \
        these is what a reader would take for granted, and a chain of `↔` does not say that all its operands are \
        equivalent. The message names the reading taken; the fix, for a person to apply, puts the brackets of that \
        reading.",
    examples: &[
        Example {
            bad: "Rain(today) → Wet(street) → Slippery(street)",
            good: Some("Rain(today) → (Wet(street) → Slippery(street))"),
        },
        Example {
            bad: "Rain(today) ↔ Wet(street) ↔ Slippery(street)",
            good: Some("(Rain(today) ↔ Wet(street)) ↔ Slippery(street)"),
        },
    ],
    fix: Some(Applicability::DisplayOnly),
};

pub(super) const SELF_EQUAL: Rule = Rule {
    code: "P306",
    name: "self-equality",
    family: Family::Shape,
    severity: Severity::Warning,
    summary: "A term set equal, or unequal, to itself",
    explanation: "`x = x` always holds and `x ≠ x` never does, so the equation says nothing or makes its surroundings \
        impossible. Mostly one side was meant to be another term.",
    examples: &[Example {
        bad: "∀x ∀y (Likes(x, y) → ¬(x = x))", good: Some("∀x ∀y (Likes(x, y) → ¬(x = y))")
    }],
    fix: None,
};

pub(super) const DUPLICATE: Rule = Rule {
    code: "P307",
    name: "duplicate-operand",
    family: Family::Shape,
    severity: Severity::Warning,
    summary: "An operand that stands twice in one chain",
    explanation: "`A ∧ A` and `A ∨ A` say no more than `A`; `A ⊕ A` never holds, `A → A` and `A ↔ A` always do. Mostly one \
        of the two was meant to be something else, such as the same property of another individual.",
    examples: &[Example {
        bad: "Related(french, spanish) ∧ Related(french, spanish)",
        good: Some("Related(french, spanish) ∧ Related(spanish, french)"),
    }],
    fix: None,
};

pub(super) const DOUBLE_NEGATION: Rule = Rule {
    code: "P308",
    name: "double-negation",
    family: Family::Shape,
    severity: Severity::Info,
    summary: "`¬¬A`",
    explanation: "A negation directly under a negation cancels it. It may follow a doubly negated sentence word for word, \
        or be a slip. The fix, for a person to apply, drops both.",
    examples: &[Example { bad: "¬(¬Tall(ida))", good: Some("Tall(ida)") }],
    fix: Some(Applicability::DisplayOnly),
};

pub(super) const COMPLEMENT: Rule = Rule {
    code: "P309",
    name: "complementary-operands",
    family: Family::Shape,
    severity: Severity::Warning,
    summary: "An operand and its negation in one chain of `∧` or `∨`",
    explanation: "`A ∧ ¬A` never holds and `A ∨ ¬A` always does, so the other operands of the chain say nothing. Mostly \
        one of the two was meant to be something else.",
    examples: &[Example { bad: "Tall(ida) ∧ ¬Tall(ida)", good: Some("Tall(ida) ∧ ¬Tall(ola)") }],
    fix: None,
};

pub(super) const NEGATED_IMPLICATION: Rule = Rule {
    code: "P310",
    name: "negated-implication",
    family: Family::Shape,
    severity: Severity::Warning,
    summary: "`∀x ¬(P(x) → Q(x))`",
    explanation: "A negated implication says that its antecedent holds and its consequent does not, so \
        `∀x ¬(P(x) → Q(x))` says that everything there is is `P` and not `Q`. “No P is Q” is `∀x (P(x) → ¬Q(x))`, which \
        the fix writes; it is unsafe, because it changes what the formula says.",
    examples: &[Example { bad: "∀x ¬(Fish(x) → Mammal(x))", good: Some("∀x (Fish(x) → ¬Mammal(x))") }],
    fix: Some(Applicability::Unsafe),
};

/// The rules of this family.
pub static RULES: &[Rule] = &[
    EXISTS_IMPLIES,
    FORALL_AND,
    XOR_CHAIN,
    MIXED,
    ARROWS,
    SELF_EQUAL,
    DUPLICATE,
    DOUBLE_NEGATION,
    COMPLEMENT,
    NEGATED_IMPLICATION,
];
