//! The client by itself: patience, what is never done, and what goes wrong.

use std::fs;
use std::path::Path;
use std::time::Instant;

use refolio::hub::{Add, Change, Committed, FileId, Hub as Client, HubError, RepoId, Settings};
use refolio::llm::Secret;

use crate::fake::{Hub, READER, WRITER};

fn client(hub: &Hub, token: Option<&str>, cache: &Path) -> Client {
    let token = token.map(|token| Secret::new(token.to_owned()));
    Client::new(Settings { endpoint: hub.url.clone(), token, cache: cache.to_owned() }).unwrap()
}

fn repo() -> RepoId {
    "birds/herons".parse().unwrap()
}

fn add(dir: &Path, path: &str, content: &[u8]) -> Add {
    let file = dir.join(path.replace('/', "_"));
    fs::write(&file, content).unwrap();
    Add { path: path.to_owned(), id: FileId::of(&file).unwrap(), file }
}

fn commit(client: &Client, add: Vec<Add>, delete: &[&str]) -> Result<Committed, HubError> {
    let parent = client.revision(&repo(), "main")?.sha;
    let delete = delete.iter().map(|path| (*path).to_owned()).collect();
    client.commit(&repo(), &Change { parent, add, delete, message: "a test".to_owned() })
}

#[test]
fn files_go_where_they_belong_and_are_sent_once() {
    let (hub, dir) = (Hub::start(), tempfile::tempdir().unwrap());
    let client = client(&hub, Some(WRITER), dir.path());
    assert_eq!(client.whoami().unwrap(), "refolio");
    assert!(client.ensure_repo(&repo(), true).unwrap());
    assert!(!client.ensure_repo(&repo(), true).unwrap());
    let files = || {
        vec![
            add(dir.path(), "a/x.parquet", b"PAR1 one"),
            add(dir.path(), "a/same.parquet", b"PAR1 one"),
            add(dir.path(), "y.bin", &[0; 700_000]),
            add(dir.path(), "README.md", "# Ü\n".as_bytes()),
            add(dir.path(), "empty.jsonl", b""),
        ]
    };
    let first = commit(&client, files(), &[]).unwrap();
    assert_eq!((first.known, first.sent), (0, 2));
    let second = commit(&client, files(), &["a/same.parquet"]).map(|c| (c.known, c.sent));
    assert!(matches!(second, Ok((2, 0))), "{second:?}");
    {
        let state = hub.state();
        let held = state.repo("birds/herons");
        assert!(held.private);
        assert_eq!(held.content("y.bin"), Some([0; 700_000].as_slice()));
        assert_eq!(held.content("empty.jsonl"), Some(b"".as_slice()));
        assert_eq!(held.commits.len(), 3);
        assert_eq!(held.verified.len(), 2);
    }
    client.tag(&repo(), "v1.0.0", &first.commit).unwrap();
    assert!(matches!(client.tag(&repo(), "v1.0.0", &first.commit), Err(HubError::Exists { .. })));
    assert!(client.revision(&repo(), "v2").unwrap_err().is_missing());
}

#[test]
fn large_files_come_in_parts_where_the_hub_asks_for_it() {
    let (hub, dir) = (Hub::start(), tempfile::tempdir().unwrap());
    hub.faults(|faults| faults.part_bytes = Some(100));
    let client = client(&hub, Some(WRITER), dir.path());
    client.ensure_repo(&repo(), false).unwrap();
    let content: Vec<u8> = (0..=255).cycle().take(1001).collect();
    commit(&client, vec![add(dir.path(), "x.parquet", &content)], &[]).unwrap();
    let state = hub.state();
    assert_eq!(state.repo("birds/herons").parts.len(), 11);
    assert_eq!(state.repo("birds/herons").content("x.parquet"), Some(content.as_slice()));
}

#[test]
fn parquet_is_never_sent_inside_a_commit() {
    let (hub, dir) = (Hub::start(), tempfile::tempdir().unwrap());
    hub.faults(|faults| faults.all_inline = true);
    let client = client(&hub, Some(WRITER), dir.path());
    client.ensure_repo(&repo(), false).unwrap();
    let error = commit(&client, vec![add(dir.path(), "a/x.parquet", b"PAR1")], &[]).unwrap_err();
    assert!(matches!(&error, HubError::Inline { path } if path == "a/x.parquet"), "{error}");
    assert!(error.hint().is_some());
    assert_eq!(hub.state().count("POST", "/commit/"), 0);
}

#[test]
fn it_waits_as_long_as_it_is_asked_to_and_no_longer() {
    let (hub, dir) = (Hub::start(), tempfile::tempdir().unwrap());
    let client = client(&hub, Some(WRITER), dir.path());
    hub.faults(|faults| faults.too_many = 2);
    let started = Instant::now();
    assert_eq!(client.whoami().unwrap(), "refolio");
    assert!(started.elapsed().as_secs_f64() >= 1.9, "{:?}", started.elapsed());
    hub.faults(|faults| faults.too_many = 100);
    let error = client.whoami().unwrap_err();
    assert!(matches!(error, HubError::RateLimited { .. }), "{error}");
    hub.faults(|faults| (faults.too_many, faults.unavailable) = (0, 1));
    assert_eq!(client.whoami().unwrap(), "refolio");
    assert_eq!(hub.state().count("GET", "whoami"), 3 + 5 + 2);
}

#[test]
fn tokens_are_asked_for_and_never_shown() {
    let (hub, dir) = (Hub::start(), tempfile::tempdir().unwrap());
    let nobody = client(&hub, None, dir.path());
    assert!(matches!(nobody.whoami(), Err(HubError::NoToken)));
    assert!(matches!(nobody.ensure_repo(&repo(), true), Err(HubError::NoToken)));
    client(&hub, Some(WRITER), dir.path()).ensure_repo(&repo(), true).unwrap();
    assert!(matches!(nobody.revision(&repo(), "main"), Err(HubError::Unauthorized { .. })), "it is private");
    let reader = client(&hub, Some(READER), dir.path());
    reader.revision(&repo(), "main").unwrap();
    let refused = commit(&reader, vec![add(dir.path(), "a.txt", b"a")], &[]).unwrap_err();
    assert!(matches!(refused, HubError::Forbidden { .. }), "{refused}");
    let wrong = client(&hub, Some("hf_wrongWRONG"), dir.path()).whoami().unwrap_err();
    assert!(matches!(wrong, HubError::Unauthorized { .. }));
    assert!(!format!("{wrong} {wrong:?}").contains("hf_wrongWRONG"), "{wrong:?}");
    assert!(wrong.to_string().contains("[key]"), "{wrong}");
}

#[test]
fn a_branch_that_moved_is_not_written_over() {
    let (hub, dir) = (Hub::start(), tempfile::tempdir().unwrap());
    let client = client(&hub, Some(WRITER), dir.path());
    client.ensure_repo(&repo(), false).unwrap();
    hub.faults(|faults| faults.rival = Some("theirs.txt".to_owned()));
    let error = commit(&client, vec![add(dir.path(), "x.parquet", b"PAR1")], &[]).unwrap_err();
    assert!(matches!(error, HubError::Stale { .. }), "{error}");
    let state = hub.state();
    assert_eq!(state.repo("birds/herons").head().message, "a rival");
    assert_eq!(state.repo("birds/herons").content("x.parquet"), None);
}

#[test]
fn what_was_fetched_damaged_is_not_kept() {
    let (hub, dir) = (Hub::start(), tempfile::tempdir().unwrap());
    let (cache, files) = (dir.path().join("cache"), dir.path());
    let client = client(&hub, Some(WRITER), &cache);
    client.ensure_repo(&repo(), false).unwrap();
    let commit = commit(&client, vec![add(files, "x.parquet", b"PAR1 12")], &[]).unwrap().commit;
    let listed = client.files(&repo(), &commit).unwrap().into_iter().find(|f| f.path == "x.parquet").unwrap();
    hub.faults(|faults| faults.damage = true);
    let error = client.fetch(&repo(), &commit, &listed).unwrap_err();
    assert!(matches!(error, HubError::Damaged { .. }), "{error}");
    hub.faults(|faults| faults.damage = false);
    let path = client.fetch(&repo(), &commit, &listed).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"PAR1 12");
    let fetched = hub.state().count("GET", "/store/");
    client.fetch(&repo(), &commit, &listed).unwrap();
    assert_eq!(hub.state().count("GET", "/store/"), fetched, "it is kept");
    fs::write(&path, b"PAR1 99").unwrap();
    client.fetch(&repo(), &commit, &listed).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"PAR1 12", "what was changed here is fetched anew");
}

#[test]
fn a_hub_that_is_not_there_is_said_to_be_so() {
    let dir = tempfile::tempdir().unwrap();
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let settings = Settings { endpoint: format!("http://127.0.0.1:{port}"), token: None, cache: dir.path().to_owned() };
    let error = Client::new(settings).unwrap().revision(&repo(), "main").unwrap_err();
    assert!(matches!(&error, HubError::Unreachable { .. }), "{error}");
    assert!(error.to_string().contains(&format!("127.0.0.1:{port}")), "{error}");
}
