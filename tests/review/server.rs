//! What the server answers, and that what it confirmed is kept.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fs, thread};

use refolio::decision::Action;
use serde_json::{Value, json};

use crate::{Reviewed, row};

fn edit(target: &str, after: &str) -> Value {
    json!([{ "target": target, "after": after }])
}

#[test]
fn only_who_knows_the_token_is_answered() {
    let reviewed = Reviewed::new();
    let server = reviewed.serve();
    let (origin, token) = server.url.trim_end_matches('/').rsplit_once('/').unwrap();
    assert_eq!(token.len(), 32);
    let status = |url: String| server.send(server.client.get(url)).0;
    assert_eq!(status(server.url.clone()), 200);
    for path in ["", "api/queue", "/api/queue", &"0".repeat(32), &format!("{}/api/queue", "0".repeat(32))] {
        assert_eq!(status(format!("{origin}/{path}")), 404, "{path}");
    }
    let by_name = server.client.get(&server.url).header("host", "refolio.example:80");
    assert_eq!(server.send(by_name).0, 403, "another name for this machine");
    let answer = server.runtime.block_on(server.client.get(&server.url).send()).unwrap();
    let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
    assert_eq!((header("cache-control"), header("referrer-policy")), ("no-store".to_owned(), "no-referrer".to_owned()));
    assert!(header("content-security-policy").starts_with("default-src 'none'; connect-src 'self'"));
    // A second reviewer would write to the same file.
    let second = reviewed.output(&["review", "--by", "bob"]);
    assert_eq!(second.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&second.stderr).contains("another process is writing to it"));
}

#[test]
fn the_queue_has_what_needs_a_person_first_what_needs_one_most() {
    let reviewed = Reviewed::new();
    let said = reviewed.serve().get("queue");
    let ids: Vec<&str> = said["items"].as_array().unwrap().iter().map(|i| i["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 4, "{ids:?}");
    assert!(!ids.contains(&"5"), "a row that agrees");
    let scores: Vec<f64> =
        said["items"].as_array().unwrap().iter().map(|i| i["score"].as_f64().unwrap_or(-1.0)).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    assert_eq!(said["progress"], json!({ "rows": 4, "decided": 0, "skipped": 0, "disagreements": 0 }));
    assert_eq!(said["reviewer"], "ada");
}

#[test]
fn a_formula_is_judged_as_it_is_typed() {
    let reviewed = Reviewed::new();
    let server = reviewed.serve();
    let check = |id: &str, edits: &Value| server.post("check", &json!({ "id": id, "edits": edits }));
    let said = check("1", &json!([]));
    assert_eq!((&said["verdict"], &said["agreement"]), (&json!("Uncertain"), &json!("conflict")));
    // Half-typed.
    let said = check("1", &edit("premise[1]", "Heron(grey"));
    assert_eq!(said["verdict"], "Unparsed");
    let remark = said["remarks"].as_array().unwrap().iter().find(|r| r["severity"] == "error").unwrap();
    assert_eq!(remark["target"], "premise[1]");
    assert!(remark["frame"].as_str().unwrap().contains("Heron(grey"), "{remark}");
    // Right: and the other record of the story gains too.
    let said = check("1", &edit("premise[1]", "Heron(grey)"));
    assert_eq!(
        (&said["verdict"], &said["agreement"], &said["evidence"]),
        (&json!("True"), &json!("agree"), &json!("certificate"))
    );
    assert!(said["account"].as_str().unwrap().contains("<code>Heron(grey)</code>"), "{said}");
    let sibling = &said["siblings"][0];
    assert_eq!(
        (&sibling["id"], &sibling["before"], &sibling["after"]),
        (&json!("2"), &json!("Uncertain"), &json!("True"))
    );
    // Another label.
    let said = server.post("check", &json!({ "id": "3", "label": "False" }));
    assert_eq!((&said["verdict"], &said["agreement"]), (&json!("False"), &json!("agree")));
    assert_eq!(server.try_post("check", &json!({ "id": "99" })).0, 404);
    assert_eq!(server.try_post("check", &json!({ "id": "1", "edits": edit("premise[7]", "P") })).0, 422);
    assert_eq!(server.try_post("check", &json!({ "id": "1", "edits": edit("row", "P") })).0, 422);
}

#[test]
fn what_is_decided_is_what_the_next_run_does() {
    let reviewed = Reviewed::new();
    let server = reviewed.serve();
    let decide = |body: Value| server.post("decide", &body);
    let said = decide(
        json!({ "id": "1", "action": "accept", "edits": edit("premise[1]", "Heron(grey)"), "comment": " one bird " }),
    );
    assert_eq!(said["progress"]["decided"], 1);
    let ids: Vec<&str> = said["items"].as_array().unwrap().iter().map(|i| i["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["1", "2"], "its story");
    // The other record stands with the shared premise before it is decided itself.
    assert_eq!(server.get("row?id=2")["view"]["verdict"], "True");
    decide(json!({ "id": "2", "action": "accept" }));
    decide(json!({ "id": "3", "action": "relabel", "label": "False" }));
    assert_eq!(server.try_post("decide", &json!({ "id": "<b>4</b>", "action": "accept" })).0, 422, "no reading");
    assert_eq!(server.try_post("decide", &json!({ "id": "3", "action": "relabel" })).0, 422, "to what?");
    assert_eq!(
        server.try_post("decide", &json!({ "id": "3", "action": "reject", "edits": edit("conclusion", "P") })).0,
        422
    );
    decide(json!({ "id": "<b>4</b>", "action": "ambiguous" }));
    decide(json!({ "id": "5", "action": "reject" }));
    let undone = server.post("undo", &json!({}));
    assert_eq!((&undone["decision"]["action"], &undone["decision"]["record_id"]), (&json!("undo"), &json!("5")));
    drop(server);
    let actions: Vec<&str> = reviewed.decisions().iter().map(|d| d.action.as_str()).collect();
    assert_eq!(actions, ["accept", "accept", "relabel", "ambiguous", "reject", "undo"]);
    assert_eq!(reviewed.decisions()[0].comment, "one bird");

    let rows = reviewed.run();
    let status =
        |id: &str| (row(&rows, id).text("status").to_owned(), row(&rows, id).maybe("decision").map(str::to_owned));
    assert_eq!(status("1"), ("repaired".to_owned(), Some("accept".to_owned())));
    assert_eq!(status("2"), ("repaired".to_owned(), Some("accept".to_owned())));
    assert_eq!(status("3"), ("relabelled".to_owned(), Some("relabel".to_owned())));
    assert_eq!(status("<b>4</b>"), ("problematic".to_owned(), Some("ambiguous".to_owned())));
    assert_eq!(status("5"), ("verified".to_owned(), None));

    // Reviewed once more: what was decided is still there, and a second thought replaces it.
    let server = reviewed.serve();
    let shown = server.get("row?id=1");
    assert_eq!(shown["view"]["verdict"], "True");
    assert_eq!(shown["history"][0]["action"], "accept");
    server.post(
        "decide",
        &json!({ "id": "1", "action": "accept", "edits": edit("conclusion", "Eat(grey, fish) ∧ Heron(grey)") }),
    );
    drop(server);
    let again = reviewed.run();
    let first = row(&again, "1");
    assert_eq!((first.maybe("decision"), first.text("status")), (Some("accept"), "repaired"));
    assert_eq!(first.maybe("conclusion_fol"), Some("Eat(grey, fish) ∧ Heron(grey)"));
    assert_eq!(first.texts("premises_fol")[1], "Heron(grey)", "the edit before stands with it");
    assert_eq!(row(&again, "2").maybe("decision"), Some("accept"));
}

#[test]
fn undo_goes_back_one_by_one_and_not_beyond_the_first() {
    let reviewed = Reviewed::new();
    let server = reviewed.serve();
    assert_eq!(server.try_post("undo", &json!({})).0, 409);
    server.post("decide", &json!({ "id": "3", "action": "reject" }));
    server.post("decide", &json!({ "id": "3", "action": "ambiguous" }));
    let mine = |said: &Value| said["items"][0]["mine"].clone();
    assert_eq!(mine(&server.post("undo", &json!({}))), "reject");
    assert_eq!(mine(&server.post("undo", &json!({}))), Value::Null);
    assert_eq!(server.try_post("undo", &json!({})).0, 409);
}

#[test]
fn what_was_confirmed_survives_a_kill() {
    let reviewed = Reviewed::new();
    let mut confirmed = 0;
    for round in 0..12_u64 {
        let mut server = reviewed.serve();
        let stop = AtomicBool::new(false);
        let pid = server.child.id();
        let kept = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(30 + 17 * round));
                stop.store(true, Ordering::SeqCst);
                let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
                rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
            });
            let mut kept = 0;
            for n in 0.. {
                let body = json!({ "id": "3", "action": "comment", "comment": format!("{round}.{n}") }).to_string();
                let request = server.client.post(format!("{}api/decide", server.url));
                let request = request.header("content-type", "application/json").body(body);
                let answered =
                    server.runtime.block_on(async { request.send().await?.error_for_status()?.text().await });
                match answered {
                    Ok(_) => kept += 1,
                    Err(error) => {
                        assert!(stop.load(Ordering::SeqCst), "{error}");
                        break;
                    }
                }
            }
            kept
        });
        server.child.wait().unwrap();
        confirmed += kept;
        let decisions = reviewed.decisions();
        let of_round = decisions.iter().filter(|d| d.comment.starts_with(&format!("{round}."))).count();
        // What was under way may have been kept too; nothing that was confirmed is missing.
        assert!(of_round == kept || of_round == kept + 1, "{of_round} of {kept} in round {round}");
    }
    assert!(confirmed > 20, "{confirmed}");
    assert!(reviewed.decisions().iter().all(|d| d.action == Action::Comment));
}

#[test]
fn reviewers_merge_and_their_agreement_is_told() {
    let reviewed = Reviewed::new();
    for (by, third) in [("ada", "relabel"), ("bob", "reject")] {
        let server = reviewed.serve_as(by);
        server.post("decide", &json!({ "id": "1", "action": "accept", "edits": edit("premise[1]", "Heron(grey)") }));
        let label = if third == "relabel" { json!("False") } else { Value::Null };
        server.post("decide", &json!({ "id": "3", "action": third, "label": label }));
        drop(server);
        fs::rename(reviewed.path("out.decisions.jsonl"), reviewed.path(&format!("{by}.jsonl"))).unwrap();
    }
    let told = reviewed.succeed(&["review", "--merge", "ada.jsonl", "--merge", "bob.jsonl"]);
    assert_eq!(
        told,
        "ada and bob: 2 rows in common, the same choice on 1, the same formulas too on 1; Cohen's κ 0.333\n\
         2 rows decided, 1 with disagreements\n  3: ada: relabel False | bob: reject\n"
    );
    assert_eq!(reviewed.succeed(&["review", "--agreement"]), told);
    reviewed.succeed(&["review", "--merge", "ada.jsonl"]);
    assert_eq!(reviewed.decisions().len(), 4, "each once");
    let rows = reviewed.run();
    assert_eq!(row(&rows, "1").texts("decided_by"), ["ada", "bob"]);
    assert_eq!(
        (row(&rows, "3").text("status"), row(&rows, "3").maybe("decision")),
        ("problematic", Some("disagreement"))
    );
}
