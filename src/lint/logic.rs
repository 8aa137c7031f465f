//! Rules that need a prover. They are documented here like the others; what finds them is verification, which makes
//! its diagnostics with the functions of this module.

use super::{Example, Family, Rule};
use crate::diagnostic::{Diagnostic, Severity, Span, Target};

const TAUTOLOGY: Rule = Rule {
    code: "L501",
    name: "tautologous-annotation",
    family: Family::Logic,
    severity: Severity::Warning,
    summary: "An annotation that always holds",
    explanation: "A prover shows that the formula holds whatever its symbols mean. As a premise it says nothing; as a \
        conclusion it follows from anything, so the label tests no reasoning. It is right only where the sentence is \
        itself such as “it rains or it does not”.",
    examples: &[Example { bad: "∃x (Baker(x) → RisesEarly(x)) ∨ Tall(ida) ∨ ¬Tall(ida)", good: None }],
    fix: None,
};

const CONTRADICTION: Rule = Rule {
    code: "L502",
    name: "contradictory-annotation",
    family: Family::Logic,
    severity: Severity::Warning,
    summary: "An annotation that never holds",
    explanation: "A prover shows that the formula holds under no meaning of its symbols. As a premise it makes the record \
        inconsistent, so that everything would follow; as a conclusion it can only be refuted.",
    examples: &[Example { bad: "∀x (Baker(x) ∧ ¬Baker(x))", good: Some("∀x (Baker(x) → ¬Painter(x))") }],
    fix: None,
};

const ALTERNATIVE: Rule = Rule {
    code: "L503",
    name: "alternative-reading",
    family: Family::Logic,
    severity: Severity::Info,
    summary: "A mended annotation that could have been mended to mean something else",
    explanation: "A fix that puts or drops one bracket was applied (or, in `refolio lint`, is offered), and another place for \
        the bracket gives a formula too; the two have another meaning, or were at least not shown to be equivalent: the \
        message says which. The edit lists the other text under `alternatives`; a person \
        should see whether the right one was taken.",
    examples: &[Example {
        bad: "(Baker(ida) → ¬(Tall(ida) ∨ Old(ida))",
        good: Some("(Baker(ida) → ¬(Tall(ida) ∨ Old(ida)))"),
    }],
    fix: None,
};

const UNUSED: Rule = Rule {
    code: "L504",
    name: "unused-premise",
    family: Family::Logic,
    severity: Severity::Info,
    summary: "A premise that no verdict on its story needs",
    explanation: "Logic gave every record of the story a verdict, and each `True` and `False` has a proof that does without \
        this premise. It may be meant to distract; it may also be that its formula does not say what the sentence says, so \
        that a step the author had in mind cannot be taken. A premise that has a part in some other proof is not needed \
        either, and `Uncertain` needs none: without the premise every verdict would be the same. Nothing is said of a story \
        of which a record has no verdict, whose premises contradict each other, or of which no verdict needs any premise. It \
        takes the verdicts of all records with the same story id and the same premises, wherever they stand in the input, so \
        `refolio run` and `refolio explain` find it and `refolio lint` does not.",
    examples: &[Example {
        bad: "∀x (Baker(x) → RisesEarly(x))\nBaker(ida)\nTall(ida)\n∴ RisesEarly(ida)", good: None
    }],
    fix: None,
};

/// The rules of this family.
pub static RULES: &[Rule] = &[TAUTOLOGY, CONTRADICTION, ALTERNATIVE, UNUSED];

/// The code of the rule that tells of premises that no verdict on a story needs.
pub(crate) const UNUSED_PREMISE: &str = UNUSED.code;

/// Whether a finding is about all records of a story, and known only when all of them have their verdicts.
pub(crate) fn is_of_story(diagnostic: &Diagnostic) -> bool {
    diagnostic.code == UNUSED.code
}

/// A finding that none of the verdicts on the `records` records of a story needs the premise.
#[must_use]
pub fn unused_premise(target: Target, span: Span, records: usize) -> Diagnostic {
    let message = match records {
        1 => "the verdict on the story's only record does not need this premise".to_owned(),
        n => format!("no verdict on the story's {n} records needs this premise"),
    };
    UNUSED.diagnostic(target, span, message)
}

/// A finding that the formula at `span` always holds.
#[must_use]
pub fn tautologous(target: Target, span: Span) -> Diagnostic {
    let effect = match target {
        Target::Conclusion => "as a conclusion it follows from anything",
        _ => "as a premise it says nothing",
    };
    TAUTOLOGY.diagnostic(target, span, format!("this formula always holds: {effect}"))
}

/// A finding that the formula at `span` never holds.
#[must_use]
pub fn contradictory(target: Target, span: Span) -> Diagnostic {
    let effect = match target {
        Target::Conclusion => "as a conclusion it can only be refuted",
        _ => "as a premise it makes everything follow",
    };
    CONTRADICTION.diagnostic(target, span, format!("this formula never holds: {effect}"))
}

/// A finding that the fix of rule `code` took one of several readings. `span` is where the fix edits the text as it
/// came; `different` are the texts not taken that were shown not to be equivalent to the one taken, `open` those about
/// which that is not known. One of them has an item.
#[must_use]
pub fn alternative_reading(
    target: Target,
    span: Span,
    code: &str,
    different: &[String],
    open: &[String],
) -> Diagnostic {
    let others = different.iter().chain(open).map(|a| format!("`{a}`")).collect::<Vec<_>>().join(" or ");
    let said = [(different, "with another meaning"), (open, "not shown to be equivalent")]
        .into_iter()
        .filter_map(|(texts, what)| match texts.len() {
            0 => None,
            1 => Some(format!("another reading {what}")),
            n => Some(format!("{n} other readings {what}")),
        })
        .collect::<Vec<_>>()
        .join(" and ");
    ALTERNATIVE
        .diagnostic(target, span, format!("the fix of {code} has {said}"))
        .hint(format!("it could also be {others}"))
}
