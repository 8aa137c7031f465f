//! Kept answers: recalled whole or not at all.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use refolio::prove::cache::{Cache, CacheError, Cached, Checked, Keys, Recalled, check};
use refolio::prove::{
    Answer, Attempt, Decision, Finding, Identity, Origin, Outcome, Problem, Prover, Reason, Run, Schedule, Szs,
};
use rusqlite::Connection;

use crate::problem;

/// Answers what it is told to, and counts how often it is asked.
struct Told {
    identity: Identity,
    outcome: Mutex<Result<Finding, Reason>>,
    asked: AtomicUsize,
}

impl Told {
    fn new(outcome: Result<Finding, Reason>) -> Self {
        let identity = Identity {
            name: "told".into(),
            version: "1".into(),
            origin: Origin::Given,
            sha256: "0".repeat(64),
            path: "/nowhere".into(),
        };
        Self { identity, outcome: Mutex::new(outcome), asked: AtomicUsize::new(0) }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Prover for Told {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn run(&self, _: &Problem, _: &Attempt, _: u64) -> Run {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Run { outcome: self.outcome.lock().unwrap().clone(), wall: Duration::from_millis(1) }
    }
}

fn theorem() -> Result<Finding, Reason> {
    Ok(Finding {
        status: Szs::Theorem,
        used: Some(vec!["premise_0".into()]),
        proof: Some("fof(f1, axiom, p(a), file(unknown, premise_0)).\n".into()),
        model: None,
    })
}

fn one_attempt() -> Schedule {
    let attempts = vec![Attempt { name: "only".into(), options: Vec::new(), time_limit: 1.0 }];
    Schedule { attempts, ..Schedule::default() }
}

fn goal() -> Problem {
    problem(&["p(a)"], Some("p(a)"))
}

/// One question through a cache that is opened and closed for it.
fn ask(path: &Path, prover: &Told, problem: &Problem) -> Answer {
    let cache = Cache::open(path, 10).unwrap();
    Cached::new(prover, &cache).ask(problem, &one_attempt())
}

#[test]
fn an_answer_is_recalled_whole_by_another_process() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("below/answers.sqlite");
    let prover = Told::new(theorem());
    let first = ask(&path, &prover, &goal());
    let Outcome::Decided { decision: Decision::Follows, ref attempt, .. } = first.outcome else { panic!("{first:?}") };
    assert_eq!(attempt, "only");
    let again = ask(&path, &prover, &goal());
    assert_eq!((again.outcome, again.runs.len(), prover.asked()), (first.outcome, 0, 1));
    ask(&path, &prover, &problem(&["p(b)"], Some("p(b)")));
    assert_eq!(prover.asked(), 2);
}

#[test]
fn a_failure_is_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.sqlite");
    let prover = Told::new(Err(Reason::Timeout));
    assert_eq!(ask(&path, &prover, &goal()).outcome, Outcome::Undecided { reason: Reason::Timeout });
    *prover.outcome.lock().unwrap() = theorem();
    assert!(matches!(ask(&path, &prover, &goal()).outcome, Outcome::Decided { .. }));
    assert_eq!(prover.asked(), 2);
}

#[test]
fn no_flipped_bit_is_believed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.sqlite");
    ask(&path, &Told::new(theorem()), &goal());
    // What the prover would say now tells a recalled answer from a new one.
    let other = Ok(Finding { status: Szs::CounterSatisfiable, used: None, proof: None, model: None });
    let connection = Connection::open(&path).unwrap();
    let column = |name: &str| -> Vec<u8> {
        connection.query_row(&format!("SELECT {name} FROM entry"), [], |row| row.get(0)).unwrap()
    };
    let (value, sum) = (column("value"), column("checksum"));
    let cache = Cache::open(&path, 10).unwrap();
    let mut damaged = 0;
    for (name, bytes) in [("value", &value), ("checksum", &sum)] {
        for bit in (0..bytes.len() * 8).step_by(7) {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            connection.execute(&format!("UPDATE entry SET {name} = ?1"), [&flipped]).unwrap();
            let prover = Told::new(other.clone());
            let answer = Cached::new(&prover, &cache).ask(&goal(), &one_attempt());
            assert!(matches!(answer.outcome, Outcome::Decided { status: Szs::CounterSatisfiable, .. }), "{name} {bit}");
            damaged += 1;
            assert_eq!(cache.counts().damaged, damaged);
            // The new answer has taken the place of the damaged one.
            cache.flush();
            connection.execute("UPDATE entry SET value = ?1, checksum = ?2", [&value, &sum]).unwrap();
        }
    }
    // A whole entry under another's key is not believed either.
    let key = Keys::new(&Told::new(theorem()).identity, &one_attempt()).key("fof(other, axiom, p).\n");
    connection.execute("UPDATE entry SET key = ?1", [key.as_slice()]).unwrap();
    assert_eq!(cache.get(&key), Recalled::Damaged);
}

#[test]
fn files_that_are_no_cache_are_told_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let garbage = dir.path().join("garbage");
    std::fs::write(&garbage, "no database at all, but long enough to be taken for one".repeat(100)).unwrap();
    let before = std::fs::read(&garbage).unwrap();
    assert!(matches!(Cache::open(&garbage, 10), Err(CacheError::Foreign { .. })));
    assert_eq!(std::fs::read(&garbage).unwrap(), before);

    let foreign = dir.path().join("foreign");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE mine (a); INSERT INTO mine VALUES (1)").unwrap();
    assert!(matches!(Cache::open(&foreign, 10), Err(CacheError::Foreign { .. })));

    let newer = dir.path().join("newer");
    drop(Cache::open(&newer, 10).unwrap());
    Connection::open(&newer).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    assert!(matches!(Cache::open(&newer, 10), Err(CacheError::Newer { found: 99, .. })));

    let folder = garbage.join("below/answers.sqlite");
    assert!(matches!(Cache::open(&folder, 10), Err(CacheError::Folder { .. })));
}

#[test]
fn a_file_damaged_in_the_middle_costs_answers_and_no_more() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.sqlite");
    let problems: Vec<Problem> = (0..300).map(|i| problem(&[&format!("p{i}(a)")], Some(&format!("p{i}(a)")))).collect();
    {
        let cache = Cache::open(&path, 10).unwrap();
        let (prover, schedule) = (Told::new(theorem()), one_attempt());
        let cached = Cached::new(&prover, &cache);
        problems.iter().for_each(|p| drop(cached.ask(p, &schedule)));
    }
    let mut bytes = std::fs::read(&path).unwrap();
    assert!(bytes.len() > 100_000, "{}", bytes.len());
    // The pages at the start hold what is read on opening: damage there makes the whole file useless.
    for page in (bytes.len() / 2 / 4096 * 4096..bytes.len()).step_by(8192) {
        bytes[page..page + 600].fill(0xa5);
    }
    std::fs::write(&path, bytes).unwrap();
    let cache = Cache::open(&path, 10).unwrap();
    let prover = Told::new(theorem());
    let cached = Cached::new(&prover, &cache);
    for problem in &problems {
        let answer = cached.ask(problem, &one_attempt());
        assert!(matches!(answer.outcome, Outcome::Decided { status: Szs::Theorem, .. }));
    }
    cache.flush();
    let counts = cache.counts();
    assert!(prover.asked() > 0);
    assert!(counts.damaged + counts.failures > 0, "{counts:?}");
}

#[test]
fn the_room_is_bounded_and_the_oldest_go_first() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.sqlite");
    let prover = Told::new(Ok(Finding { proof: Some("x".repeat(20_000)), ..theorem().unwrap() }));
    let numbered = |i: usize| problem(&[&format!("p{i}(a)")], Some(&format!("p{i}(a)")));
    for round in 0..4 {
        let cache = Cache::open(&path, 1).unwrap();
        let cached = Cached::new(&prover, &cache);
        // Number 0 is used in every round.
        cached.ask(&numbered(0), &one_attempt());
        for i in 1..=25 {
            cached.ask(&numbered(round * 25 + i), &one_attempt());
        }
        cache.flush();
        let stats = cache.stats().unwrap();
        assert!(stats.bytes <= stats.max_bytes && stats.entries > 10, "{stats:?}");
    }
    let asked = prover.asked();
    assert_eq!(asked, 101, "number 0 stayed");
    ask(&path, &prover, &numbered(100));
    assert_eq!(prover.asked(), asked, "the latest are there");
    ask(&path, &prover, &numbered(1));
    assert_eq!(prover.asked(), asked + 1, "the oldest are not");
    assert!(Cache::open(&path, 1).unwrap().clear().unwrap() > 10);
    assert_eq!(Cache::open(&path, 1).unwrap().stats().unwrap().entries, 0);
}

#[test]
fn several_may_use_a_file_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.sqlite");
    std::thread::scope(|scope| {
        for user in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let cache = Cache::open(path, 10).unwrap();
                let (prover, schedule) = (Told::new(theorem()), one_attempt());
                let cached = Cached::new(&prover, &cache);
                for i in 0..200 {
                    let fact = format!("p{}(a)", i + 50 * user);
                    cached.ask(&problem(&[&fact], Some(&fact)), &schedule);
                }
                cache.flush();
                let counts = cache.counts();
                assert_eq!((counts.damaged, counts.failures), (0, 0), "{counts:?}");
            });
        }
    });
    let stats = Cache::open(&path, 10).unwrap().stats().unwrap();
    assert_eq!(stats.entries, 350);
}

#[test]
fn an_answer_that_the_prover_does_not_give_again_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.sqlite");
    let prover = Told::new(theorem());
    ask(&path, &prover, &goal());
    let cache = Cache::open(&path, 10).unwrap();
    let schedule = one_attempt();
    let keys = Keys::new(prover.identity(), &schedule);
    let all = cache.keys().unwrap();
    let again = || check(&cache, &all[0], Some((&prover, &schedule, &keys))).unwrap();
    assert_eq!(again(), Checked::Same);
    *prover.outcome.lock().unwrap() = Err(Reason::Timeout);
    assert_eq!(again(), Checked::Unanswered);
    *prover.outcome.lock().unwrap() =
        Ok(Finding { status: Szs::CounterSatisfiable, used: None, proof: None, model: None });
    assert_eq!(again(), Checked::Different { kept: "Theorem".into(), now: "CounterSatisfiable".into() });
    assert_eq!(cache.stats().unwrap().entries, 0);
}
