//! What people decided, as the last rung of the ladder.

use std::fs;

use refolio::decision::{Action, Decision, LabelChange, TextChange, VERSION, leaving_key};
use refolio::diagnostic::Target;
use refolio::ingest::{self, Input, Options};
use refolio::pipeline::decisions_path;
use refolio::record::{Label, Record};
use tempfile::TempDir;

use crate::rows::OutRow;
use crate::{Ran, contents};

/// Two records of one story far apart, and others between them.
const HERONS: &str = r#"{"premises": ["All herons eat fish.", "Grey is a heron."], "premises-FOL": ["∀x (Heron(x) → Eat(x, fish))", "Heron(gray)"], "conclusion": "Grey eats fish.", "conclusion-FOL": "Eat(grey, fish)", "label": "True", "example_id": 1}
{"premises": ["Every gull is loud.", "Sandy is a gull."], "premises-FOL": ["∀x (Gull(x) → Loud(x))", "Gull(sandy)"], "conclusion": "Sandy is not loud.", "conclusion-FOL": "¬Loud(sandy)", "label": "True", "example_id": 2}
{"premises": ["No wren is large."], "premises-FOL": ["∀x (Wren(x) → ¬Large(x))"], "conclusion": "Dot sings.", "conclusion-FOL": "Sing(dot)", "label": "Uncertain", "example_id": 3}
{"premises": ["All owls hunt."], "premises-FOL": ["∀x (Owl(x) → Hunt(x))"], "conclusion": "All owls hunt.", "conclusion-FOL": "∀x (Owl(x) → Hunt(x))", "label": "True", "example_id": 4}
{"premises": ["All herons eat fish.", "Grey is a heron."], "premises-FOL": ["∀x (Heron(x) → Eat(x, fish))", "Heron(gray)"], "conclusion": "Grey is a heron.", "conclusion-FOL": "Heron(grey)", "label": "True", "example_id": 5}
"#;

struct Herons {
    _folder: TempDir,
    file: std::path::PathBuf,
    records: Vec<Record>,
}

impl Herons {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("herons_train.jsonl");
        fs::write(&file, HERONS).unwrap();
        let records = ingest::read(&[Input::new(&file)], &Options::default()).unwrap().records;
        Self { _folder: folder, file, records }
    }

    fn decision(&self, id: &str, action: Action) -> Decision {
        let record = self.records.iter().find(|r| r.record_id == id).unwrap();
        Decision {
            version: VERSION,
            id: String::new(),
            at: "2026-11-30T10:00:00.000Z".to_owned(),
            by: "ada".to_owned(),
            record_id: id.to_owned(),
            split: record.split.clone(),
            record: record.content_key(),
            found: leaving_key(&record.premises_fol, record.conclusion_fol.as_deref(), record.label),
            seen: leaving_key(&record.premises_fol, record.conclusion_fol.as_deref(), record.label),
            action,
            edits: Vec::new(),
            label: None,
            comment: "seen".to_owned(),
            undoes: None,
        }
        .with_id()
    }

    fn edit(&self, id: &str, target: Target, before: &str, after: &str) -> Decision {
        let edits = vec![TextChange { target, before: Some(before.to_owned()), after: after.to_owned() }];
        Decision { edits, ..self.decision(id, Action::Accept) }.with_id()
    }

    /// A run that applies decisions, on so many cores.
    fn run(&self, decisions: &[Decision], jobs: usize) -> Ran {
        let lines: Vec<String> = decisions.iter().map(|d| serde_json::to_string(d).unwrap() + "\n").collect();
        let path = self.file.with_extension("decisions.jsonl");
        fs::write(&path, lines.concat()).unwrap();
        Ran::new(std::slice::from_ref(&self.file), |config| {
            config.review.decisions.clone_from(&path);
            config.run.jobs = jobs;
        })
    }
}

fn row<'a>(rows: &'a [OutRow], id: &str) -> &'a OutRow {
    rows.iter().find(|row| row.text("record_id") == id).unwrap()
}

#[test]
fn an_edit_mends_its_story_wherever_its_records_stand() {
    let herons = Herons::new();
    let before = Ran::new(std::slice::from_ref(&herons.file), |_| ()).rows("train");
    for id in ["1", "5"] {
        assert_eq!(row(&before, id).text("status"), "problematic");
    }
    let ran = herons.run(&[herons.edit("5", Target::Premise(1), "Heron(gray)", "Heron(grey)")], 2);
    let rows = ran.rows("train");
    for id in ["1", "5"] {
        let row = row(&rows, id);
        assert_eq!((row.text("status"), row.text("verdict")), ("repaired", "True"), "{id}");
        assert_eq!(row.texts("premises_fol"), ["∀x (Heron(x) → Eat(x, fish))", "Heron(grey)"]);
        let edits = row.list("edits");
        assert_eq!(
            (edits.len(), edits[0]["kind"].as_str(), edits[0]["why"].as_str()),
            (1, Some("human"), Some("seen"))
        );
        assert_eq!(edits[0]["asked_by"].as_str(), (id == "1").then_some("5"));
    }
    let decided = |id: &str| row(&rows, id).maybe("decision").map(str::to_owned);
    assert_eq!((decided("5").as_deref(), decided("1")), (Some("accept"), None));
    assert_eq!(row(&rows, "5").texts("decided_by"), ["ada"]);
    // The file is kept with the data, and the manifest says which it was.
    let kept = fs::read_to_string(ran.dir.path().join("decisions.jsonl")).unwrap();
    assert_eq!(kept, fs::read_to_string(herons.file.with_extension("decisions.jsonl")).unwrap());
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(ran.dir.path().join("manifest.json")).unwrap()).unwrap();
    let recorded = manifest["config"]["review"]["decisions"].as_str().unwrap();
    assert!(recorded.starts_with("herons_train.decisions.jsonl sha256:"), "{recorded}");
    assert_eq!(manifest["counts"]["train"]["decisions"]["accept"], 1);
}

#[test]
fn what_people_say_of_a_row_is_its_status() {
    let herons = Herons::new();
    let relabel = Decision {
        label: Some(LabelChange { before: Some(Label::True), after: Label::False }),
        ..herons.decision("2", Action::Relabel)
    }
    .with_id();
    let wrong = Decision {
        label: Some(LabelChange { before: Some(Label::Uncertain), after: Label::True }),
        ..herons.decision("3", Action::Relabel)
    }
    .with_id();
    let reject = herons.decision("4", Action::Reject);
    let rows = herons.run(&[relabel, wrong, reject, herons.decision("1", Action::Ambiguous)], 1).rows("train");
    let told = |id: &str| {
        let row = row(&rows, id);
        let why = row.maybe("verdict_reason").unwrap_or_default().to_owned();
        [row.text("status"), row.maybe("label").unwrap_or_default(), row.text("agreement"), &why].join(" ")
    };
    assert_eq!(told("2"), "relabelled False agree ");
    assert_eq!(row(&rows, "2").maybe("label_original"), Some("True"));
    assert_eq!(row(&rows, "2").text("agreement_original"), "conflict");
    assert_eq!(told("3"), "problematic True conflict broken-chain: label True, verdict Uncertain");
    assert_eq!(told("4"), "problematic True agree rejected: by ada (seen)");
    assert_eq!(told("1"), "problematic True conflict ambiguous-sentence: by ada (seen)");
}

#[test]
fn decisions_on_what_has_changed_are_refused_and_said() {
    let herons = Herons::new();
    let mut stale = herons.edit("1", Target::Conclusion, "Eat(grey, fish)", "Eat(gray, fish)");
    stale.record = "0".repeat(32);
    let gone = Decision { record_id: "99".to_owned(), ..herons.decision("4", Action::Reject) }.with_id();
    let ran = herons.run(&[stale.with_id(), gone], 1);
    let rows = ran.rows("train");
    let row = row(&rows, "1");
    assert_eq!((row.maybe("decision"), row.list("edits").len()), (Some("refused"), 0));
    assert_eq!(row.maybe("decision_comment"), Some("the row does not come as it came when it was looked at"));
    let told = ran.decisions.as_ref().unwrap();
    assert_eq!((told.records, told.absent.as_slice()), (2, ["99".to_owned()].as_slice()));
}

#[test]
fn the_same_decisions_give_the_same_bytes_and_none_change_nothing() {
    let herons = Herons::new();
    let decisions =
        [herons.edit("5", Target::Premise(1), "Heron(gray)", "Heron(grey)"), herons.decision("4", Action::Accept)];
    let (one, two) = (herons.run(&decisions, 1), herons.run(&decisions, 2));
    assert_eq!(contents(one.dir.path()), contents(two.dir.path()));
    let none = Ran::new(std::slice::from_ref(&herons.file), |_| ());
    let off = Ran::new(std::slice::from_ref(&herons.file), |config| {
        config.review.decisions = herons.file.with_extension("decisions.jsonl");
        config.review.apply = false;
    });
    assert_eq!(contents(none.dir.path()), contents(off.dir.path()));
}

#[test]
fn they_lie_beside_the_output_unless_the_configuration_says_otherwise() {
    let mut config = refolio::config::Config::default();
    config.output.dir = "some/out".into();
    assert_eq!(decisions_path(&config), std::path::Path::new("some/out.decisions.jsonl"));
    config.review.decisions = "mine.jsonl".into();
    assert_eq!(decisions_path(&config), std::path::Path::new("mine.jsonl"));
}
