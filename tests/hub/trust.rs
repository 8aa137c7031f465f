//! The Hub of the tests against Python's own client: what that does with the real one, it does with this one.

use std::fs;

use refolio::hub::RepoId;
use refolio::llm::Secret;

use crate::fake::{Hub, WRITER};
use crate::python::python;

/// A folder as people upload it: text, rows, and two files that go to the store.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    write("README.md", "---\nlicense: mit\n---\n# Ünïcode\n".as_bytes());
    write("data/train.jsonl", b"{\"NL\": \"All herons wade.\", \"FOL\": \"P(a)\"}\n");
    write("data/x.parquet", &[b"PAR1".as_slice(), &[7; 300], b"PAR1"].concat());
    write("more/deep/big.bin", &(0..200_000_u32).flat_map(u32::to_le_bytes).collect::<Vec<_>>());
    write("more/a.txt", b"a");
    dir
}

fn agrees(xet: bool, part_bytes: Option<u64>) -> Option<(Hub, tempfile::TempDir)> {
    let (hub, dir) = (Hub::start(), folder());
    hub.faults(|faults| faults.part_bytes = part_bytes);
    let mut environment = vec![("HF_ENDPOINT", hub.url.as_str()), ("HF_TOKEN", WRITER)];
    if !xet {
        environment.push(("HF_HUB_DISABLE_XET", "1"));
    }
    let said = python("trust.py", &["birds/python", dir.path().to_str().unwrap()], &environment)?;
    assert!(said.starts_with("agreed: "), "{said}");
    Some((hub, dir))
}

#[test]
fn pythons_client_works_with_it() {
    let Some((hub, _dir)) = agrees(false, None) else { return };
    let state = hub.state();
    assert_eq!(state.repo("birds/python").uploads.len(), 2, "each large file was sent once");
    assert_eq!(state.repo("birds/python").verified.len(), 2);
    assert!(state.calls.iter().any(|call| call.agent.contains("hf_hub")), "{:?}", state.calls.first());
}

#[test]
fn pythons_client_works_with_it_in_parts() {
    let Some((hub, _dir)) = agrees(false, Some(100_000)) else { return };
    assert_eq!(hub.state().repo("birds/python").parts.len(), 8);
}

#[test]
fn pythons_client_works_with_it_with_its_defaults() {
    agrees(true, None);
}

#[test]
fn what_python_pushed_is_read_here() {
    let Some((hub, dir)) = agrees(false, None) else { return };
    let cache = tempfile::tempdir().unwrap();
    let settings = refolio::hub::Settings {
        endpoint: hub.url.clone(),
        token: Some(Secret::new(WRITER.to_owned())),
        cache: cache.path().to_owned(),
    };
    let client = refolio::hub::Hub::new(settings).unwrap();
    let repo: RepoId = "birds/python".parse().unwrap();
    let tag = client.refs(&repo).unwrap().tags.remove(0);
    assert_eq!(client.revision(&repo, "v1.0.0").unwrap().sha, tag.commit);
    let files = client.files(&repo, "v1.0.0").unwrap();
    assert_eq!(files.len(), 6, "over several pages");
    for file in files.iter().filter(|file| file.path != ".gitattributes") {
        let path = client.fetch(&repo, &tag.commit, file).unwrap();
        assert_eq!(fs::read(path).unwrap(), fs::read(dir.path().join(&file.path)).unwrap(), "{}", file.path);
    }
}
