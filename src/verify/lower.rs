//! From trees to problems.

use crate::fol::print::tptp::{FreeVariables, mangle, print};
use crate::fol::{Formula, SymbolKind};
use crate::prove::{Problem, Role, Statement};

/// How problems are made. Free variables of one name are one unknown individual throughout a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lowering {
    /// What becomes of free variables.
    pub free: FreeVariables,
    /// Whether constants of different names are taken to be different individuals.
    pub unique_names: bool,
}

impl Lowering {
    /// The premises alone: have they a model?
    ///
    /// With [`Lowering::unique_names`], the constants of `conclusion` are told apart too, so that all questions about a
    /// record rest on the same axioms.
    #[must_use]
    pub fn consistency(&self, premises: &[&Formula], conclusion: Option<&Formula>) -> Problem {
        self.problem(premises, conclusion, None)
    }

    /// Premises and conclusion, or its negation: does it follow?
    #[must_use]
    pub fn entailment(&self, premises: &[&Formula], conclusion: &Formula, negated: bool) -> Problem {
        self.problem(premises, Some(conclusion), Some((conclusion, negated)))
    }

    /// Whether a formula holds whatever its symbols mean.
    #[must_use]
    pub fn validity(&self, formula: &Formula, negated: bool) -> Problem {
        self.problem(&[], Some(formula), Some((formula, negated)))
    }

    /// Whether two formulas hold in the same models.
    #[must_use]
    pub fn equivalence(&self, a: &Formula, b: &Formula) -> Problem {
        let text = format!("({} <=> {})", print(a, self.free), print(b, self.free));
        Problem { statements: vec![statement("equivalence", Role::Conjecture, text)], ..Problem::default() }
    }

    /// `named` is a formula whose constants count beside those of the premises; `conjecture` may be negated.
    fn problem(&self, premises: &[&Formula], named: Option<&Formula>, conjecture: Option<(&Formula, bool)>) -> Problem {
        let mut statements: Vec<Statement> = premises
            .iter()
            .enumerate()
            .map(|(i, f)| statement(&premise_name(i), Role::Axiom, print(f, self.free)))
            .collect();
        if self.unique_names
            && let Some(axiom) = distinct_constants(premises.iter().copied().chain(named))
        {
            statements.push(statement(UNIQUE_NAMES, Role::Axiom, axiom));
        }
        if let Some((formula, negated)) = conjecture {
            let text = print(formula, self.free);
            let text = if negated { format!("~ ({text})") } else { text };
            let name = if negated { NEGATED_CONCLUSION } else { CONCLUSION };
            statements.push(statement(name, Role::Conjecture, text));
        }
        Problem { statements, ..Problem::default() }
    }
}

/// What the conclusion is called in problems.
pub(super) const CONCLUSION: &str = "conclusion";
/// What its negation is called.
pub(super) const NEGATED_CONCLUSION: &str = "negated_conclusion";
/// What the axiom is called that tells constants apart.
const UNIQUE_NAMES: &str = "unique_names";

fn statement(name: &str, role: Role, formula: String) -> Statement {
    Statement { name: name.to_owned(), role, formula, comments: Vec::new() }
}

/// What the premise of this 0-based index is called in problems.
#[must_use]
pub(super) fn premise_name(index: usize) -> String {
    format!("premise_{index}")
}

/// The index behind [`premise_name`].
#[must_use]
pub(super) fn premise_index(name: &str) -> Option<u32> {
    name.strip_prefix("premise_")?.parse().ok()
}

/// That no two of the author's constants name the same individual; `None` where there are fewer than two.
fn distinct_constants<'a>(formulas: impl Iterator<Item = &'a Formula>) -> Option<String> {
    let mut names: Vec<String> = formulas
        .flat_map(Formula::symbols)
        .filter(|s| s.kind == SymbolKind::Constant)
        .map(|s| mangle(SymbolKind::Constant, s.name, 0))
        .collect();
    names.sort_unstable();
    names.dedup();
    let pairs: Vec<String> = names
        .iter()
        .enumerate()
        .flat_map(|(i, a)| names.iter().skip(i + 1).map(move |b| format!("{a} != {b}")))
        .collect();
    if pairs.is_empty() { None } else { Some(format!("({})", pairs.join(" & "))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::parse;

    fn formula(text: &str) -> Formula {
        parse(text).formula.expect("a formula")
    }

    #[test]
    fn problems_as_text() {
        let premises = [formula("∀x (Dog(x) → Has(x, tail))"), formula("Dog(rex) ∧ Dog(y)")];
        let premises: Vec<&Formula> = premises.iter().collect();
        let conclusion = formula("Has(rex, tail)");
        let lowering = Lowering::default();
        insta::assert_snapshot!(lowering.entailment(&premises, &conclusion, true).to_tptp(), @r"
        fof(premise_0, axiom, ! [V_x] : (p1_Dog(V_x) => p2_Has(V_x,c_tail))).
        fof(premise_1, axiom, (p1_Dog(c_rex) & p1_Dog(u_y))).
        fof(negated_conclusion, conjecture, ~ (p2_Has(c_rex,c_tail))).
        ");
        let lowering = Lowering { free: FreeVariables::Universal, unique_names: true };
        insta::assert_snapshot!(lowering.consistency(&premises, None).to_tptp(), @r"
        fof(premise_0, axiom, ! [V_x] : (p1_Dog(V_x) => p2_Has(V_x,c_tail))).
        fof(premise_1, axiom, ! [V_y] : (p1_Dog(c_rex) & p1_Dog(V_y))).
        fof(unique_names, axiom, (c_rex != c_tail)).
        ");
    }

    #[test]
    fn all_questions_of_a_record_tell_the_same_constants_apart() {
        let premises = [formula("Dog(rex)"), formula("∀x (Dog(x) → x = rex)")];
        let premises: Vec<&Formula> = premises.iter().collect();
        let lowering = Lowering { unique_names: true, ..Lowering::default() };
        for (conclusion, expected) in [
            ("Dog(fido)", Some("(c_fido != c_rex)")),
            ("Dog(rex)", None),
            ("Likes(ida, tim)", Some("(c_ida != c_rex & c_ida != c_tim & c_rex != c_tim)")),
        ] {
            let conclusion = formula(conclusion);
            let problems = [
                lowering.consistency(&premises, Some(&conclusion)),
                lowering.entailment(&premises, &conclusion, false),
                lowering.entailment(&premises, &conclusion, true),
            ];
            for problem in problems {
                let axiom = problem.statements.iter().find(|s| s.name == UNIQUE_NAMES);
                assert_eq!(axiom.map(|s| s.formula.as_str()), expected);
            }
        }
    }
}
