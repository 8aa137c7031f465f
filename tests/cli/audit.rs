//! `refolio audit`

use super::{BIRDS, TestEnvironment, browser};

/// The birds in a later version: a label, a premise's formula and a sentence are others, one row is gone and one is new.
fn later() -> String {
    let mut lines: Vec<String> = BIRDS.lines().map(str::to_owned).collect();
    lines[0] = lines[0].replace("∀x (Heron(x) → Eat(x, fish))", "∀x (¬Eat(x, fish) → ¬Heron(x))");
    lines[1] = lines[1].replace("∀x (Heron(x) → Eat(x, fish))", "∀x (¬Eat(x, fish) → ¬Heron(x))");
    lines[3] = lines[3].replace("\"label\": \"True\"", "\"label\": \"False\"");
    lines[4] = lines[4].replace("Dot sings.", "Dot sings well.");
    lines.remove(2);
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn two_versions() {
    let env = TestEnvironment::with_birds();
    env.write("later_train.jsonl", later());
    insta::assert_snapshot!(env.run(&["audit", "birds_train.jsonl", "later_train.jsonl", "--out", "audit.parquet"]));
    assert!(env.path("audit.parquet").is_file());
    insta::assert_snapshot!(
        "markdown",
        env.run(&["audit", "birds_train.jsonl", "later_train.jsonl", "--format", "markdown"])
    );
    let json = env.run(&["audit", "birds_train.jsonl", "later_train.jsonl", "--format", "json"]).success();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["rows"].as_array().unwrap().len(), 6);
}

#[test]
fn changes_can_fail() {
    let env = TestEnvironment::with_birds();
    env.write("later_train.jsonl", later());
    let code = |change: &str, new: &str| env.run(&["audit", "birds_train.jsonl", new, "--fail-on", change]).code;
    for change in ["label-change", "sentence-change", "row-change"] {
        assert_eq!(code(change, "later_train.jsonl"), Some(1), "{change}");
        assert_eq!(code(change, "birds_train.jsonl"), Some(0), "{change}");
    }
    // The new formula says the same.
    assert_eq!(code("formula-change", "later_train.jsonl"), Some(0));
}

/// The birds with the premises of one story in another order.
fn reordered() -> String {
    BIRDS
        .replace("Every gull is loud.\\nSandy is a gull.", "Sandy is a gull.\\nEvery gull is loud.")
        .replace("∀x (Gull(x) → Loud(x))\\nGull(sandy)", "Gull(sandy)\\n∀x (Gull(x) → Loud(x))")
}

#[test]
fn order_and_splits_are_changes_of_their_own() {
    let env = TestEnvironment::with_birds();
    env.write("reordered_train.jsonl", reordered());
    let audited = env.run(&["audit", "birds_train.jsonl", "reordered_train.jsonl", "--format", "json"]).success();
    let audited: serde_json::Value = serde_json::from_str(&audited).unwrap();
    let kinds: Vec<String> = audited["rows"].as_array().unwrap().iter().map(|row| row["kinds"].to_string()).collect();
    assert_eq!(kinds, ["[]", "[]", "[]", "[\"order\"]", "[]", "[\"order\"]"]);
    let code = |old: &str, new: &str, change: &str| env.run(&["audit", old, new, "--fail-on", change]).code;
    assert_eq!(code("birds_train.jsonl", "reordered_train.jsonl", "order-change"), Some(1));
    assert_eq!(code("birds_train.jsonl", "birds_train.jsonl", "order-change"), Some(0));
    assert_eq!(code("birds_train.jsonl", "reordered_train.jsonl", "sentence-change,formula-change"), Some(0));

    // Two splits: the last row moves from one to the other.
    let lines: Vec<String> = BIRDS.lines().map(|line| format!("{line}\n")).collect();
    for (folder, train) in [("old", 4), ("new", 3)] {
        env.write(&format!("{folder}/train.jsonl"), lines[..train].concat());
        env.write(&format!("{folder}/test.jsonl"), lines[train..].concat());
    }
    assert_eq!(code("old", "new", "split-change"), Some(1));
    assert_eq!(code("old", "old", "split-change"), Some(0));
    // Files with commas between are the same as their folder.
    assert_eq!(code("old", "old/test.jsonl,old/train.jsonl", "split-change,row-change,label-change"), Some(0));
    insta::assert_snapshot!("moved", env.run(&["audit", "old", "new"]));
    env.write("empty/notes.txt", "");
    insta::assert_snapshot!("no_data", env.run(&["audit", "old", "empty"]));
}

#[test]
fn the_output_of_a_run_is_a_version() {
    let env = TestEnvironment::with_birds();
    env.run(&["-q", "run", "--input", "birds_train.jsonl", "--out", "out"]);
    // What was mended says the same, and nothing else changed.
    insta::assert_snapshot!("out", env.run(&["audit", "birds_train.jsonl", "out"]));
    env.write("later_train.jsonl", later());
    let audited = env.run(&["audit", "out", "later_train.jsonl", "--format", "json"]).success();
    let audited: serde_json::Value = serde_json::from_str(&audited).unwrap();
    let row = audited["rows"].as_array().unwrap().iter().find(|row| row["label_changed"] == true).unwrap();
    assert_eq!((row["label_old"].as_str(), row["label_new"].as_str()), (Some("True"), Some("False")));
    for side in ["judged_old", "judged_new"] {
        let judged = &row[side];
        assert_eq!(judged["verdict"], "False");
        assert_eq!(judged["evidence"], "certificate");
        assert_eq!(judged["szs_consistency"], "Satisfiable");
        assert_eq!(judged["szs_refutes"], "Theorem");
        assert_eq!(judged["used_premises"].to_string(), "[0,1]");
    }
}

#[test]
fn a_page_shows_every_change() {
    let env = TestEnvironment::with_birds();
    env.write("later_train.jsonl", later());
    let page = env.run(&["audit", "birds_train.jsonl", "later_train.jsonl", "--format", "html"]).success();
    for part in [
        "<title>birds_train.jsonl → later_train.jsonl · refolio audit</title>",
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';",
        "<strong>True → False</strong>",
        "<tr><th scope=\"row\">rests on</th><td>certificate</td><td>certificate</td></tr>",
        "Dot sings<ins> well</ins>.",
        "<h2>Rows with another label (1)</h2>",
        "<th scope=\"row\">premise[0]<br>equivalent</th>",
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    assert!(!page.contains("<script") && !page.contains("url("), "{page}");
    let same = env.run(&["audit", "birds_train.jsonl", "birds_train.jsonl", "--format", "html"]).success();
    assert!(same.contains("<p>Nothing changed.</p>") && !same.contains("<details"), "{same}");
}

#[test]
fn in_a_browser_what_an_audit_says_is_text() {
    let Some(chromium) = browser::chromium() else { return };
    let env = TestEnvironment::new();
    let old = browser::record();
    let mut new = old.clone();
    new["label"] = "False".into();
    new["premises"][0] = format!("{} <script>alert(1)</script>", old["premises"][0].as_str().unwrap()).into();
    new["premises-FOL"][1] = "</code><img src=x onerror=alert(1)>".into();
    env.write("old.jsonl", format!("{old}\n"));
    env.write("new.jsonl", format!("{new}\n"));
    let page = env.run(&["audit", "old=old.jsonl", "new=new.jsonl", "--format", "html"]).success();
    env.write("page.html", &page);
    let dom = env.dom(&chromium, "page.html");
    let known = [
        "body", "br", "code", "del", "details", "div", "doctype", "h1", "h2", "h3", "head", "html", "ins", "li",
        "meta", "p", "span", "strong", "style", "summary", "table", "tbody", "td", "th", "thead", "title", "tr", "ul",
    ];
    let unknown: Vec<_> =
        browser::elements(&dom).into_iter().filter(|name| !known.contains(&name.to_lowercase().as_str())).collect();
    assert!(unknown.is_empty(), "{unknown:?} in {dom}");
    for text in [
        "<strong>&lt;b&gt;7&lt;/b&gt;</strong>",
        "&lt;iframe src='https://example.org/'&gt;&lt;/iframe&gt;",
        "alert(1)&lt;/script&gt;</ins>",
        "<ins>&lt;/code&gt;&lt;img src=x onerror=alert(1)&gt;</ins>",
    ] {
        assert!(dom.contains(text), "{text} is not in {dom}");
    }
    let tags = dom.split('<').skip(1).filter_map(|tag| tag.split_once('>')).map(|(tag, _)| tag);
    for tag in tags {
        assert!(!tag.contains(" src=") && !tag.contains(" href=") && !tag.contains(" on"), "{tag}");
    }
}
