//! The repair ladder over published data.

use std::collections::BTreeMap;
use std::fs;

use refolio::config::FixLevel;

use crate::rows::OutRow;
use crate::{Ran, TRAIN_PART, V0_VALIDATION, VALIDATION, contents, published, say};

fn searched(file: &str, split: &str) -> Option<(Vec<OutRow>, Vec<OutRow>)> {
    let file = published(file)?;
    let safe = Ran::new(std::slice::from_ref(&file), |_| ()).rows(split);
    let search = Ran::new(&[file], |config| config.fixes.level = FixLevel::Search).rows(split);
    Some((safe, search))
}

/// What holds of every row that was taken up the ladder.
fn check(safe: &[OutRow], search: &[OutRow]) {
    assert_eq!(safe.len(), search.len());
    let mut stories: BTreeMap<(String, Vec<String>), Vec<usize>> = BTreeMap::new();
    for (i, row) in search.iter().enumerate() {
        stories
            .entry((row.maybe("story_id").unwrap_or_default().to_owned(), row.texts("premises_fol_original")))
            .or_default()
            .push(i);
    }
    for (before, after) in safe.iter().zip(search) {
        let id = after.text("record_id");
        // Who agreed still agrees, with the same verdict; its conclusion is as it was, and of its premises only those that
        // were mended for another record are not.
        if before.text("agreement_original") == "agree" {
            assert_eq!((after.text("verdict"), after.text("status")), (before.text("verdict"), "verified"), "{id}");
            let own = after.list("edits").iter().filter(|e| e["kind"] == "search" && e["asked_by"].is_null());
            assert_eq!(own.filter(|e| e["rule"] != "other-bracket").count(), 0, "{id}");
        } else if before.text("agreement") == "agree" {
            assert_eq!(after.text("agreement"), "agree", "{id}");
        }
        assert_eq!(
            after.maybe("label"),
            after.maybe("label_original").map(|l| if l == "Unknown" { "Uncertain" } else { l }),
            "{id}"
        );
        let repaired = after.text("status") == "repaired";
        assert!(!repaired || (after.text("agreement") == "agree" && !after.list("edits").is_empty()), "{id}");
        let problematic = after.text("status") == "problematic";
        assert_eq!(problematic, after.text("agreement") != "agree", "{id}");
        if problematic {
            let reason = after.maybe("verdict_reason").unwrap_or_default();
            let known = [
                "broken-chain",
                "label-contradicted",
                "inconsistent-premises",
                "ambiguous-repair",
                "unparsed",
                "undetermined",
                "unformalised",
            ];
            assert!(known.iter().any(|word| reason.starts_with(word)), "{id}: {reason}");
            assert!(after.maybe("critique").is_some(), "{id}");
        }
        let contradicted = after.maybe("verdict_reason").is_some_and(|r| r.starts_with("label-contradicted"));
        assert_eq!(contradicted, after.maybe("proposed_label").is_some(), "{id}");
        // The edits lead from the text as it came to the text as it leaves.
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for (i, text) in after.texts("premises_fol_original").into_iter().enumerate() {
            texts.insert(format!("premise[{i}]"), text);
        }
        texts.extend(after.maybe("conclusion_fol_original").map(|t| ("conclusion".to_owned(), t.to_owned())));
        for edit in after.list("edits") {
            let text = texts.get_mut(edit["target"].as_str().unwrap()).unwrap();
            assert_eq!(edit["before"], text.as_str(), "{id}");
            *text = edit["after"].as_str().unwrap().to_owned();
        }
        let leaving: Vec<String> =
            after.texts("premises_fol").into_iter().chain(after.maybe("conclusion_fol").map(str::to_owned)).collect();
        for (i, text) in leaving.iter().enumerate() {
            let target = if i + 1 == leaving.len() { "conclusion".to_owned() } else { format!("premise[{i}]") };
            assert_eq!(texts.get(&target), Some(text), "{id} {target}");
        }
        let score = after.0["review_score"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&score) && (problematic == (score >= 0.5)), "{id}: {score}");
    }
    // The premises of a story are one text in all its records, and a story in which every record agreed is as it came.
    for rows in stories.values() {
        let texts = |i: &usize| search[*i].texts("premises_fol");
        assert!(rows.iter().all(|i| texts(i) == texts(&rows[0])), "{:?}", search[rows[0]].text("record_id"));
        if rows.iter().all(|i| safe[*i].text("agreement_original") == "agree") {
            for i in rows {
                let mended = search[*i].list("edits").iter().filter(|e| e["kind"] == "search").count();
                assert_eq!(mended, 0, "{}", search[*i].text("record_id"));
                assert_eq!(texts(i), safe[*i].texts("premises_fol"));
            }
        }
    }
}

fn agreeing(rows: &[OutRow]) -> usize {
    rows.iter().filter(|row| row.text("agreement") == "agree").count()
}

#[test]
fn folio_v2_validation_is_repaired() {
    let Some((safe, search)) = searched(VALIDATION, "validation") else { return };
    check(&safe, &search);
    say(&format!("{} of {} agree, {} after safe fixes", agreeing(&search), search.len(), agreeing(&safe)));
    assert!(agreeing(&search) > 158, "{}", agreeing(&search));
    let row = |id: &str| search.iter().find(|row| row.text("record_id") == id).unwrap();
    for (id, label) in [("981", "True"), ("754", "True")] {
        let row = row(id);
        assert_eq!(row.maybe("proposed_label"), Some(label), "{id}");
        assert_eq!(row.maybe("evidence"), Some("certificate"), "{id}");
        assert!(row.maybe("proof_ref").is_some(), "{id}");
    }
    // The verdict under each place of the bracket that one of its premises lacks.
    let critique: serde_json::Value = serde_json::from_str(row("980").maybe("critique").unwrap()).unwrap();
    let alternatives = critique["alternatives"].as_array().unwrap();
    assert!(alternatives.iter().any(|a| a["target"] == "premise[6]" && a["verdict"].is_string()), "{critique}");
}

#[test]
fn folio_v2_train_is_repaired() {
    let Some((safe, search)) = searched(TRAIN_PART, "train") else { return };
    check(&safe, &search);
    say(&format!("{} of {} agree, {} after safe fixes", agreeing(&search), search.len(), agreeing(&safe)));
    assert!(agreeing(&search) > 400, "{}", agreeing(&search));
}

#[test]
fn folio_v0_validation_is_repaired() {
    let Some((safe, search)) = searched(V0_VALIDATION, "validation") else { return };
    check(&safe, &search);
    say(&format!("{} of {} agree, {} after safe fixes", agreeing(&search), search.len(), agreeing(&safe)));
    assert!(agreeing(&search) >= agreeing(&safe));
}

/// Stories are mended as wholes, wherever their records stand, and by however many threads.
#[test]
fn neither_jobs_nor_the_order_of_rows_change_a_repair() {
    let Some(file) = published(VALIDATION) else { return };
    let text = fs::read_to_string(&file).unwrap();
    let some: Vec<&str> = text.lines().take(60).collect();
    let dir = tempfile::tempdir().unwrap();
    let (forward, torn) = (dir.path().join("validation.jsonl"), dir.path().join("torn").join("validation.jsonl"));
    fs::create_dir(dir.path().join("torn")).unwrap();
    fs::write(&forward, some.join("\n") + "\n").unwrap();
    // Every third row, then every third but one, and so on: no story stays together.
    let order: Vec<usize> = (0..3).flat_map(|r| (0..some.len()).filter(move |i| i % 3 == r)).collect();
    fs::write(&torn, order.iter().map(|i| format!("{}\n", some[*i])).collect::<String>()).unwrap();
    let run = |file: &std::path::PathBuf, jobs| {
        Ran::new(std::slice::from_ref(file), |config| {
            config.fixes.level = FixLevel::Search;
            config.run.jobs = jobs;
        })
    };
    let one = run(&forward, 1);
    assert!(contents(one.dir.path()) == contents(run(&forward, 3).dir.path()), "the number of jobs");
    let apart = ["source_row", "source_sha256"];
    let by_id = |rows: Vec<OutRow>| -> BTreeMap<String, OutRow> {
        rows.into_iter()
            .map(|mut row| {
                apart.iter().for_each(|column| {
                    row.0.remove(*column);
                });
                (row.text("record_id").to_owned(), row)
            })
            .collect()
    };
    let (whole, pieces) = (by_id(one.rows("validation")), by_id(run(&torn, 2).rows("validation")));
    assert_eq!(whole.len(), pieces.len());
    assert!(whole.values().any(|row| row.list("edits").iter().any(|e| e["kind"] == "search")));
    for (id, row) in &whole {
        assert_eq!(row.0, pieces[id].0, "{id}");
    }
}
