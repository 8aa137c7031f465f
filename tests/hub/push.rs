//! `refolio publish --push`, to the end, and to every other one.

use std::fs;
use std::thread;

use crate::fake::{Hub, READER};
use crate::folder::{Folder, REPO};
use crate::python::python;

const PUSH: [&str; 5] = ["publish", "out", "--repo", REPO, "--push"];

/// Another version of the run: its formulas are the same, and the wrong label is right.
fn relabel(folder: &Folder) {
    let text = folder.text("birds_train.jsonl");
    let wrong = "\"conclusion-FOL\": \"¬Loud(sandy)\", \"label\": \"True\"";
    assert!(text.contains(wrong));
    fs::write(folder.path("birds_train.jsonl"), text.replace(wrong, &wrong.replace("True", "False"))).unwrap();
    folder.success(&["run", "-q", "-i", "birds_train.jsonl"]);
}

/// The paths of the main branch.
fn paths(hub: &Hub) -> Vec<String> {
    hub.state().repo(REPO).head().tree.keys().cloned().collect()
}

#[test]
fn a_version_is_pushed_once_and_read_back_by_python() {
    let hub = Hub::start();
    let folder = Folder::with_run(&hub);
    let ran = folder.success(&PUSH);
    assert!(ran.stdout.starts_with("version 1.0.0, the first\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains(&format!("made the private dataset {REPO}\n")), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("tagged it v1.0.0\n"), "{}", ran.stdout);
    {
        let state = hub.state();
        let repo = state.repo(REPO);
        assert!(repo.private);
        assert_eq!(repo.commits.len(), 2, "the repository's own, and one");
        assert_eq!(repo.tags["v1.0.0"], repo.head().oid);
        assert_eq!(repo.head().message, "Version 1.0.0");
        for (path, blob) in &repo.head().tree {
            let is_large = matches!(blob, crate::fake::Blob::Large { .. });
            assert_eq!(is_large, path.ends_with(".parquet"), "{path}");
            if path != ".gitattributes" {
                assert_eq!(repo.content(path).unwrap(), fs::read(folder.path("out-hub").join(path)).unwrap(), "{path}");
            }
        }
    }
    // Nothing has changed: nothing is done.
    let again = folder.success(&PUSH);
    assert!(
        again.stdout.starts_with(&format!("version 1.0.0: nothing changed since {REPO} at v1.0.0\n")),
        "{}",
        again.stdout
    );
    assert!(again.stdout.ends_with(&format!("nothing to push: {REPO} has v1.0.0 already\n")), "{}", again.stdout);
    assert_eq!(hub.state().repo(REPO).commits.len(), 2);

    let target = folder.path("out-hub");
    let said = python(
        "pulled.py",
        &[REPO, "v1.0.0", target.to_str().unwrap()],
        &[("HF_ENDPOINT", &hub.url), ("HF_TOKEN", crate::fake::WRITER)],
    );
    if let Some(said) = said {
        assert!(said.starts_with("equal: "), "{said}");
    }
}

#[test]
fn a_version_that_follows_removes_what_is_not_wanted_any_more() {
    let hub = Hub::start();
    let folder = Folder::with_run(&hub);
    folder.success(&PUSH);
    let first = hub.state().repo(REPO).head().oid.clone();
    // Somebody adds a file by hand; it is not of this version.
    {
        let mut state = hub.state();
        let repo = state.repos.get_mut(REPO).unwrap();
        let mut tree = repo.head().tree.clone();
        tree.insert("stray.txt".to_owned(), crate::fake::Blob::Regular(b"x".to_vec()));
        repo.push("by hand", tree);
    }
    relabel(&folder);
    let dry = folder.success(&["publish", "out", "--repo", REPO]);
    assert!(dry.stdout.starts_with(&format!("version 2.0.0, a major step from {REPO} at v1.0.0\n")), "{}", dry.stdout);
    assert!(dry.stdout.contains("\n - stray.txt\n"), "{}", dry.stdout);
    assert!(dry.stderr.ends_with("nothing was pushed; --push does it\n"), "{}", dry.stderr);
    assert_eq!(hub.state().repo(REPO).commits.len(), 3, "a dry run pushes nothing");
    folder.success(&PUSH);
    assert!(!paths(&hub).contains(&"stray.txt".to_owned()));
    assert!(paths(&hub).contains(&".gitattributes".to_owned()));
    let state = hub.state();
    let repo = state.repo(REPO);
    assert_eq!(repo.tags["v1.0.0"], first, "a tag stays where it is");
    assert_eq!(repo.tags["v2.0.0"], repo.head().oid);
    let changelog = String::from_utf8_lossy(repo.content("CHANGELOG.md").unwrap()).into_owned();
    let sections: Vec<&str> = changelog.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(sections, ["## 2.0.0", "## 1.0.0"]);
}

#[test]
fn a_push_that_is_killed_goes_on_where_it_was() {
    let hub = Hub::start();
    let folder = Folder::with_run(&hub);
    hub.faults(|faults| faults.uploads_until_hang = Some(2));
    let mut child = folder.command(&PUSH).spawn().unwrap();
    hub.wait(|state| {
        state.repos.get(REPO).is_some_and(|repo| repo.uploads.len() == 2)
            && state.faults.uploads_until_hang == Some(0)
            && state.count("PUT", "/store/") >= 4
    });
    // SIGKILL: it has no chance to tidy up.
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(hub.state().repo(REPO).commits.len(), 1);
    assert!(hub.state().repo(REPO).tags.is_empty());

    hub.faults(|faults| faults.uploads_until_hang = None);
    let ran = folder.success(&PUSH);
    assert!(ran.stdout.contains(" large files sent, 2 were there\n"), "{}", ran.stdout);
    let state = hub.state();
    let repo = state.repo(REPO);
    let mut sent = repo.uploads.clone();
    let all = sent.len();
    sent.sort();
    sent.dedup();
    assert_eq!(sent.len(), all, "no file was sent twice");
    assert_eq!((repo.commits.len(), repo.tags.len()), (2, 1));
}

#[test]
fn a_connection_that_breaks_is_tried_again_and_then_said() {
    let hub = Hub::start();
    let folder = Folder::with_run(&hub);
    hub.faults(|faults| faults.uploads_until_break = Some(1));
    let said = folder.refused(&PUSH);
    assert!(said.contains("cannot reach localhost:"), "{said}");
    assert_eq!(hub.state().repo(REPO).commits.len(), 1);
    hub.faults(|faults| faults.uploads_until_break = None);
    let ran = folder.success(&PUSH);
    assert!(ran.stdout.contains(" large files sent, 1 were there\n"), "{}", ran.stdout);
}

#[test]
fn someone_else_who_pushes_meanwhile_is_not_written_over() {
    let hub = Hub::start();
    let folder = Folder::with_run(&hub);
    hub.faults(|faults| faults.rival = Some("theirs.txt".to_owned()));
    let said = folder.refused(&PUSH);
    assert!(
        said.contains("was changed by someone else while this was being pushed; nothing of it was committed"),
        "{said}"
    );
    assert!(said.contains("hint: run the same command again"), "{said}");
    {
        let state = hub.state();
        assert_eq!(state.repo(REPO).head().message, "a rival");
        assert!(state.repo(REPO).tags.is_empty());
    }
    let sent = hub.state().repo(REPO).uploads.len();
    folder.success(&PUSH);
    assert_eq!(hub.state().repo(REPO).uploads.len(), sent, "nothing is sent again");
    assert_eq!(hub.state().repo(REPO).tags.len(), 1);
}

#[test]
fn of_two_pushes_at_once_both_end_well_or_one_is_told() {
    let hub = Hub::start();
    let (one, two) = (Folder::with_run(&hub), Folder::with_run(&hub));
    folder_of_other_rows(&two);
    let codes: Vec<Option<i32>> = thread::scope(|scope| {
        let runs = [&one, &two].map(|folder| scope.spawn(|| folder.run(&PUSH).code));
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    let state = hub.state();
    let repo = state.repo(REPO);
    let done = codes.iter().filter(|code| **code == Some(0)).count();
    assert!(done >= 1 && codes.iter().all(|code| matches!(code, Some(0 | 7))), "{codes:?}");
    assert!(repo.commits.len() <= 3 && repo.tags.len() <= 2, "{:?}", repo.tags);
    for commit in repo.tags.values() {
        assert!(repo.commits.iter().any(|other| other.oid == *commit));
    }
}

fn folder_of_other_rows(folder: &Folder) {
    relabel(folder);
}

#[test]
fn a_commit_whose_answer_is_lost_is_not_made_twice() {
    let hub = Hub::start();
    let folder = Folder::with_run(&hub);
    hub.faults(|faults| faults.lose_commit_answer = true);
    let ran = folder.success(&PUSH);
    assert!(ran.stdout.ends_with("tagged it v1.0.0\n"), "{}", ran.stdout);
    assert_eq!(hub.state().repo(REPO).commits.len(), 2);
}

#[test]
fn a_missing_tag_is_made_without_another_commit() {
    let hub = Hub::start();
    let folder = Folder::with_run(&hub);
    hub.faults(|faults| faults.refuse_tags = true);
    let said = folder.refused(&PUSH);
    assert!(said.contains("the Hub will not tag birds/herons as v1.0.0 (400): no tags today"), "{said}");
    assert_eq!(hub.state().repo(REPO).commits.len(), 2);
    hub.faults(|faults| faults.refuse_tags = false);
    let ran = folder.success(&PUSH);
    assert!(ran.stdout.ends_with("tagged it v1.0.0\n") && !ran.stdout.contains("pushed commit"), "{}", ran.stdout);
    let state = hub.state();
    assert_eq!(state.repo(REPO).commits.len(), 2);
    assert_eq!(state.repo(REPO).tags["v1.0.0"], state.repo(REPO).head().oid);
}

#[test]
fn a_tag_that_is_taken_is_not_moved() {
    let hub = Hub::start();
    let folder = Folder::with_run(&hub);
    folder.success(&PUSH);
    let first = hub.state().repo(REPO).head().oid.clone();
    relabel(&folder);
    let said = folder.refused(&[&PUSH[..], &["--version", "1.0.0", "--force-version"]].concat());
    assert!(said.contains("has the tag v1.0.0 already"), "{said}");
    let state = hub.state();
    assert_eq!((state.repo(REPO).commits.len(), &state.repo(REPO).tags["v1.0.0"]), (2, &first));
}

#[test]
fn it_waits_when_it_is_asked_to() {
    let hub = Hub::start();
    let folder = Folder::with_run(&hub);
    hub.faults(|faults| faults.too_many = 2);
    folder.success(&PUSH);
    assert_eq!(hub.state().repo(REPO).tags.len(), 1);
}

#[test]
fn without_a_token_that_may_write_nothing_is_made() {
    let hub = Hub::start();
    let folder = Folder::with_run(&hub).with_token(None);
    let said = folder.refused(&PUSH);
    assert!(said.starts_with("error: there is no token for the Hub\nhint: set HF_TOKEN"), "{said}");
    let folder = folder.with_token(Some("hf_wrongWRONGwrong"));
    let said = folder.refused(&PUSH);
    assert!(said.contains("(401)"), "{said}");
    let folder = folder.with_token(Some(READER));
    let said = folder.refused(&PUSH);
    assert!(said.contains("(403)") && said.contains("hint: the token needs the right to write"), "{said}");
    assert!(hub.state().repos.is_empty());
    // What a log-in has left is a token too.
    let folder = folder.with_token(None);
    fs::create_dir_all(folder.path(".cache/huggingface")).unwrap();
    fs::write(folder.path(".cache/huggingface/token"), format!("{}\n", crate::fake::WRITER)).unwrap();
    folder.success(&PUSH);
}

#[test]
fn parquet_is_never_sent_inside_a_commit() {
    let hub = Hub::start();
    let folder = Folder::with_run(&hub);
    hub.faults(|faults| faults.all_inline = true);
    let said = folder.refused(&PUSH);
    assert!(said.contains("Parquet is never sent so"), "{said}");
    assert_eq!(hub.state().repo(REPO).commits.len(), 1);
}

#[test]
fn a_dry_run_does_without_a_hub() {
    let hub = Hub::start();
    let folder = Folder::with_run(&hub);
    let ran =
        folder.command(&["publish", "out", "--repo", REPO]).env("HF_ENDPOINT", "http://127.0.0.1:9").output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(ran.status.code(), Some(0), "{out}{err}");
    assert!(err.contains("compared with no version before: cannot reach 127.0.0.1:9"), "{err}");
    assert!(out.starts_with("version 1.0.0, the first\n"), "{out}");
}
