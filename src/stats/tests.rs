use super::*;
use crate::ingest;
use crate::record::Label;

fn record(split: &str, premises: &[(&str, &str)], conclusion: (&str, &str), label: Label) -> Record {
    Record {
        split: split.to_owned(),
        premises: premises.iter().map(|(s, _)| (*s).to_owned()).collect(),
        premises_fol: premises.iter().map(|(_, f)| (*f).to_owned()).collect(),
        conclusion: conclusion.0.to_owned(),
        conclusion_fol: Some(conclusion.1.to_owned()),
        label: Some(label),
        ..Record::default()
    }
}

const DOGS: [(&str, &str); 2] = [("All dogs bark.", "∀x (Dog(x) → Bark(x))"), ("Rex is a dog.", "Dog(rex)")];
/// The same up to renaming and order.
const CATS: [(&str, &str); 2] = [("Tom is a cat.", "Cat(tom)"), ("All cats purr.", "∀y (Cat(y) → Purr(y))")];

fn dataset() -> Vec<Record> {
    let again = [("rex  is a DOG", "Dog(rex)"), DOGS[0]];
    vec![
        record("train", &DOGS, ("Rex barks.", "Bark(rex)"), Label::True),
        record("train", &DOGS, ("Rex sings.", "Sing(rex)"), Label::Uncertain),
        record("train", &DOGS, ("Rex barks", "Bark(rex)"), Label::False),
        record("test", &again, ("Rex barks.", "Bark(rex) ∧"), Label::True),
        record("test", &CATS, ("Tom purrs.", "Purr(tom)"), Label::True),
        Record { split: "test".to_owned(), raw: Some(vec![1]), ..Record::default() },
    ]
}

#[test]
fn counts() {
    let stats = Stats::of(&dataset(), Options::default()).unwrap();
    let [test, train] = stats.splits.as_slice() else { panic!("{:?}", stats.splits) };
    assert_eq!((train.rows, train.stories, train.unreadable), (3, 1, 0));
    assert_eq!(train.labels, [("True", 1), ("False", 1), ("Uncertain", 1)].into());
    assert_eq!((train.formulas, train.formulas_read, train.formalised, train.read), (5, 5, 3, 3));
    assert_eq!((test.rows, test.stories, test.unreadable), (3, 2, 1));
    assert_eq!(test.labels, [("True", 2), ("none", 1)].into());
    assert_eq!((test.formulas, test.formulas_read, test.formalised, test.read), (6, 5, 2, 1));
    let operator = |sign: &str| train.operators.iter().find(|o| o.sign == sign).map(|o| (o.count, o.formulas));
    assert_eq!((operator("∀"), operator("→"), operator("⊕")), (Some((1, 1)), Some((1, 1)), Some((0, 0))));
}

#[test]
fn distributions() {
    let mut records = dataset();
    records.truncate(3);
    records.push(record("train", &CATS[..1], ("Tom.", "Cat(tom)"), Label::True));
    let stats = Stats::of(&records, Options::default()).unwrap();
    let of = |name: &str| stats.measures.iter().find(|m| m.name == name).unwrap().splits["train"];
    let expected = Distribution { count: 2, min: 1.0, median: 1.5, mean: 1.5, p95: 1.95, max: 2.0 };
    assert_eq!(of("premises of a story"), expected);
    assert_eq!(
        of("records of a story"),
        Distribution { min: 1.0, median: 2.0, mean: 2.0, p95: 2.9, max: 3.0, count: 2 }
    );
    // 14, 13 and 13 characters; 3, 4 and 4 words.
    assert_eq!(of("premise sentence, characters").mean, 40.0 / 3.0);
    assert_eq!((of("premise sentence, words").min, of("premise sentence, words").median), (3.0, 4.0));
    assert_eq!((of("predicates of a story").max, of("predicates of arity 1").min), (3.0, 1.0));
    assert_eq!(of("functions of a story").max, 0.0);
    assert_eq!(stats.measures[0].all, stats.measures[0].splits["train"]);
}

#[test]
fn duplicates_within_and_between() {
    let stats = Stats::of(&dataset(), Options::default()).unwrap();
    let of = |level| stats.duplicates(level).unwrap();
    let between = |split: &str, other: &str, count| Between { split: split.to_owned(), other: other.to_owned(), count };
    let stories = of(Level::StorySentences);
    assert_eq!((stories.compared, stories.groups, stories.repeated()), (3, 1, 0));
    assert_eq!(stories.between, [between("test", "train", 1), between("train", "test", 1)]);
    let rows = of(Level::RecordSentences);
    assert_eq!((rows.compared, rows.groups, rows.labels_differ), (5, 1, 1));
    assert_eq!(rows.within, [Within { split: "train".to_owned(), count: 1 }]);
    assert_eq!(rows.between, [between("test", "train", 1), between("train", "test", 2)]);
    let shapes = of(Level::StoryFormulas);
    assert_eq!((shapes.compared, shapes.groups, shapes.not_compared()), (3, 1, 0));
    assert_eq!(shapes.within, [Within { split: "test".to_owned(), count: 1 }]);
    // The one that does not parse is told as such.
    let rows = of(Level::RecordFormulas);
    assert_eq!((rows.compared, rows.groups, rows.unparsed, rows.absent), (4, 1, 1, 0));
    assert_eq!(rows.between, [between("test", "train", 1), between("train", "test", 2)]);
    let pairs: Vec<(usize, usize)> =
        stats.pairs.iter().filter(|p| p.level == Level::RecordFormulas).map(|p| (p.first, p.other)).collect();
    assert_eq!(pairs, [(0, 2), (0, 4)]);
}

#[test]
fn what_is_not_compared_is_told() {
    let circle = |names: [&str; 6]| -> Vec<(String, String)> {
        (0..6).map(|i| (format!("S {i}."), format!("R({}, {})", names[i], names[(i + 1) % 6]))).collect()
    };
    let story = |split: &str, names: [&str; 6]| {
        let circle = circle(names);
        let premises: Vec<(&str, &str)> = circle.iter().map(|(s, f)| (s.as_str(), f.as_str())).collect();
        record(split, &premises, ("C.", "⊤"), Label::True)
    };
    let mut records = vec![story("a", ["a", "b", "c", "d", "e", "g"]), story("b", ["b", "d", "a", "e", "c", "g"])];
    records.push(Record { split: "a".to_owned(), conclusion: "Only words.".to_owned(), ..Record::default() });
    let found = |bound| {
        let stats = Stats::of(&records, Options { bound, ..Options::default() }).unwrap();
        let found = stats.duplicates(Level::StoryFormulas).unwrap().clone();
        (found.compared, found.groups, found.absent, found.undecided)
    };
    assert_eq!(found(100_000), (2, 1, 1, 0));
    assert_eq!(found(3), (1, 0, 1, 1));
    assert_eq!(Stats::of(&[], Options::default()).unwrap().splits, []);
}

/// Stories whose premises all parse are those whose signature is known.
fn published(file: &str) -> Option<(SplitStats, usize)> {
    let Some(folder) = std::env::var_os("REFOLIO_DATA") else {
        #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
        {
            eprintln!("skipped: REFOLIO_DATA names no folder with published data sets");
        }
        return None;
    };
    let input = ingest::Input::new(std::path::Path::new(&folder).join(file));
    let dataset = ingest::read(&[input], &ingest::Options::default()).unwrap();
    let mut stats = Stats::of(&dataset.records, Options::default()).unwrap();
    let whole = stats.measures.iter().find(|m| m.name == "predicates of a story").unwrap().all.count;
    assert_eq!(stats.splits.len(), 1);
    Some((stats.splits.remove(0), whole))
}

#[test]
fn published_datasets() {
    let labels = |yes, no, open| [("True", yes), ("False", no), ("Uncertain", open)].into();
    let Some((stats, _)) = published("folio-v2/folio_v2_validation.jsonl") else { return };
    assert_eq!((stats.rows, stats.stories, stats.rows - stats.read), (203, 73, 39));
    assert_eq!(stats.labels, labels(72, 62, 69));
    let Some((stats, _)) = published("folio-v2/folio_v2_train.part.jsonl") else { return };
    assert_eq!((stats.rows, stats.stories, stats.rows - stats.read), (584, 198, 120));
    let Some((stats, _)) = published("folio-v0.0/folio-validation.jsonl") else { return };
    assert_eq!((stats.rows, stats.rows - stats.read), (204, 5));
    // It has no formulas of conclusions, so that the stories are those that can be read.
    let Some((stats, whole)) = published("folio-v0.0/folio-train.jsonl") else { return };
    assert_eq!((stats.rows, stats.stories, stats.stories - whole), (1004, 340, 11));
}
