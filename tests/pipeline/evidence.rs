//! Every verdict rests on something that can be checked, and whatever is doctored is found out.

use std::collections::BTreeMap;
use std::path::PathBuf;

use refolio::emit::{StoredRow, proofs, read_split, splits};
use refolio::prove::{Attempt, Identity, Problem, Prover, Run};
use refolio::verify::{Claim, Reading, ReadingOptions, Rechecked, recheck};
use serde_json::{Value, json};

use crate::{Ran, TRAIN_PART, VALIDATION, published, sample, say, strict, vampire};

const VALIDATION_V0: &str = "folio-v0.0/folio-validation.jsonl";

/// What was written of every row of a run, with its formulas.
fn claims(ran: &Ran) -> Vec<(StoredRow, Claim)> {
    let mut proofs = proofs(ran.dir.path()).unwrap();
    let mut out = Vec::new();
    for split in splits(ran.dir.path()).unwrap() {
        read_split(&split, |_, row| {
            let claim = Claim {
                verdict: row.verdict.clone(),
                evidence: row.evidence.clone(),
                used_premises: row.used_premises.clone(),
                models: row.models.clone(),
                proof: row.proof_ref.as_ref().and_then(|key| proofs.remove(key)),
            };
            out.push((row, claim));
        })
        .unwrap();
    }
    assert!(proofs.is_empty(), "every proof belongs to a row");
    out
}

fn reading(row: &StoredRow) -> Reading {
    Reading::new(&row.premises_fol, row.conclusion_fol.as_deref(), ReadingOptions::default())
}

/// Everything that was written holds, and verdicts rest on nothing but certificates and models, `except` for some.
fn holds_but_for(files: &[PathBuf], except: &[&str]) {
    let ran = Ran::new(files, |_| ());
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut others = Vec::new();
    for (row, claim) in claims(&ran) {
        let outcome = recheck(&claim, &reading(&row), false).unwrap_or_else(|e| panic!("{}: {e}", row.record_id));
        let by_logic = ["True", "False", "Uncertain", "Inconsistent"].contains(&row.verdict.as_str());
        assert!(!by_logic || outcome != Rechecked::NoVerdict, "{}: {} on nothing", row.record_id, row.verdict);
        let grade = row.evidence.clone().unwrap_or_else(|| "none".to_owned());
        if outcome == Rechecked::ProverOnly {
            others.push(format!("{} {} by {grade}", row.record_id, row.verdict));
        }
        *counts.entry((row.verdict, grade)).or_default() += 1;
    }
    for ((verdict, grade), count) in &counts {
        say(&format!("{verdict} by {grade}: {count}"));
    }
    assert_eq!(others, except, "rows that rest on the prover's word");
}

#[test]
fn verdicts_on_the_sample_rest_on_certificates_and_models() {
    holds_but_for(&sample(), &[]);
}

#[test]
fn verdicts_on_published_data_rest_on_certificates_and_models() {
    for (file, except) in [(VALIDATION, &[][..]), (TRAIN_PART, &[]), (VALIDATION_V0, &[])] {
        let Some(file) = published(file) else { return };
        say(file.to_string_lossy().as_ref());
        holds_but_for(&[file], except);
    }
}

/// Vampire, asked something else than what it should be, or with its answer changed.
struct Doctored<F, G>(Identity, F, G);

impl<F, G> Prover for Doctored<F, G>
where
    F: Fn(&mut Problem) + Send + Sync,
    G: Fn(&mut Run) + Send + Sync,
{
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn run(&self, problem: &Problem, attempt: &Attempt, memory_mb: u64) -> Run {
        let mut changed = problem.clone();
        self.1(&mut changed);
        let mut run = vampire().run(&changed, attempt, memory_mb);
        self.2(&mut run);
        run
    }
}

/// The reasons of rows that have no verdict, of a small data set that has only sound ones.
fn reasons(before: impl Fn(&mut Problem) + Send + Sync, after: impl Fn(&mut Run) + Send + Sync) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("train.jsonl");
    let row = |premises: &str, conclusion: &str, label: &str| {
        let sentences = vec!["Something is so."; premises.lines().count()].join("\n");
        json!({"premises": sentences, "premises-FOL": premises, "conclusion": "It is so.", "conclusion-FOL": conclusion,
               "label": label, "story_id": 1, "example_id": conclusion})
        .to_string()
    };
    let chain = "∀x (Cat(x) → Purrs(x))\nCat(tom)\nDog(rex)";
    let rows =
        [row(chain, "Purrs(tom)", "True"), row(chain, "¬Cat(tom)", "False"), row(chain, "Purrs(rex)", "Uncertain")];
    std::fs::write(&file, rows.join("\n")).unwrap();
    let prover = Doctored(vampire().identity().clone(), before, after);
    let ran = Ran::with(&prover, None, &[file], strict);
    ran.rows("train").iter().map(|row| row.maybe("verdict_reason").unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_wrong_lowering_is_found_out() {
    let sound = reasons(|_| (), |_| ());
    assert_eq!(sound, ["", "", ""]);
    // A premise turned round, in every question: proofs that need it are gone, and another one appears.
    let turned = reasons(
        |problem| {
            for statement in &mut problem.statements {
                statement.formula =
                    statement.formula.replace("p1_Cat(V_x) => p1_Purrs(V_x)", "p1_Purrs(V_x) => p1_Cat(V_x)");
            }
        },
        |_| (),
    );
    assert!(turned[0].starts_with("undetermined: entails: disagreement"), "{turned:?}");
    // Two names made one: a proof too many.
    let merged = reasons(
        |problem| {
            for statement in &mut problem.statements {
                statement.formula = statement.formula.replace("c_rex", "c_tom");
            }
        },
        |_| (),
    );
    assert!(merged[2].starts_with("undetermined: entails: disagreement"), "{merged:?}");
    // A contradiction too many.
    let negated = reasons(
        |problem| {
            for statement in problem.statements.iter_mut().filter(|s| s.name == "premise_2") {
                statement.formula = "(p1_Cat(c_rex) & ~ p1_Purrs(c_rex))".to_owned();
            }
        },
        |_| (),
    );
    assert!(negated.iter().all(|r| r.starts_with("undetermined: consistency: disagreement")), "{negated:?}");
}

#[test]
fn a_silent_prover_takes_no_verdict_from_a_certificate() {
    let silent = reasons(|_| (), |run| run.outcome = Err(refolio::prove::Reason::Timeout));
    assert_eq!(silent, ["", "", ""]);
}

/// The claims of the sample that recheck accepts by certificate or by models.
fn sound_claims() -> Vec<(StoredRow, Claim)> {
    let ran = Ran::new(&sample(), |_| ());
    let sound = |(row, claim): &(StoredRow, Claim)| {
        matches!(recheck(claim, &reading(row), false), Ok(Rechecked::Certificate | Rechecked::Models))
    };
    let claims: Vec<_> = claims(&ran).into_iter().filter(sound).collect();
    assert!(claims.len() > 60, "{}", claims.len());
    claims
}

#[test]
fn doctored_evidence_is_found_out() {
    let (mut certificates, mut models) = (0, 0);
    for (row, claim) in sound_claims() {
        let reading = reading(&row);
        let refused = |what: &str, change: &dyn Fn(&mut Claim)| {
            let mut doctored = claim.clone();
            change(&mut doctored);
            assert!(recheck(&doctored, &reading, false).is_err(), "{}: {what}", row.record_id);
        };
        let opposite = if row.verdict == "True" { "False" } else { "True" };
        refused("another verdict", &|c| opposite.clone_into(&mut c.verdict));
        if claim.evidence.as_deref() == Some("certificate") {
            certificates += 1;
            refused("no proof", &|c| c.proof = None);
            refused("no certificate", &|c| c.proof = c.proof.clone().map(|(question, _)| (question, None)));
            refused("more premises", &|c| c.used_premises.get_or_insert_default().push(99));
            let text = claim.proof.as_ref().unwrap().1.clone().unwrap();
            let certificate: Value = serde_json::from_str(&text).unwrap();
            for left_out in 0..certificate["instances"].as_array().unwrap().len() {
                refused("an instance less", &|c| {
                    let mut changed = certificate.clone();
                    changed["instances"].as_array_mut().unwrap().remove(left_out);
                    c.proof.as_mut().unwrap().1 = Some(changed.to_string());
                });
            }
        } else {
            models += 1;
            let sound: Value = serde_json::from_str(claim.models.as_ref().unwrap()).unwrap();
            for question in sound.as_object().unwrap().keys() {
                refused("a model less", &|c| {
                    let mut changed = sound.clone();
                    changed.as_object_mut().unwrap().remove(question);
                    c.models = Some(changed.to_string());
                });
                refused("a meaning less", &|c| {
                    let mut changed = sound.clone();
                    changed[question]["predicates"] = json!({});
                    c.models = Some(changed.to_string());
                });
            }
            // The models of both answers exchanged: in each, the conclusion is what it must not be.
            if row.verdict == "Uncertain" {
                refused("models exchanged", &|c| {
                    let mut changed = sound.clone();
                    changed["entails"] = sound["refutes"].clone();
                    c.models = Some(changed.to_string());
                });
            }
        }
    }
    assert!(certificates > 40 && models > 15, "{certificates} certificates, {models} models");
}
