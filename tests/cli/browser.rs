//! Pages in a real browser: what the data says is text in them, and they fit a desk and a phone.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::TestEnvironment;

/// A Chromium that starts: the one that `REFOLIO_CHROMIUM` names, or one on `PATH`; `None`, with the reason on the
/// terminal, where there is none.
pub(super) fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("REFOLIO_CHROMIUM");
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map(OsString::from);
    let candidates = named.clone().map_or_else(|| names.to_vec(), |named| vec![named]);
    let works = |path: &PathBuf| {
        let version = Command::new(path).arg("--version").stdin(Stdio::null()).output();
        version.is_ok_and(|output| output.status.success())
    };
    let found = candidates.iter().filter_map(|name| which::which(name).ok()).find(works);
    assert!(found.is_some() || named.is_none(), "REFOLIO_CHROMIUM is {named:?}, which does not start");
    if found.is_none() {
        #[expect(clippy::print_stderr, reason = "a test that does not run has to say so")]
        {
            eprintln!("skipped: no Chromium on PATH; REFOLIO_CHROMIUM can name one");
        }
    }
    found
}

impl TestEnvironment {
    /// The document that a browser makes of a file of this folder, once its scripts have run.
    pub(super) fn dom(&self, chromium: &PathBuf, page: &str) -> String {
        let mut command = Command::new(chromium);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]);
        command.arg(format!("--user-data-dir={}", self.path("profile").display()));
        command.args(["--window-size=1600,1200", "--dump-dom"]);
        command.arg(format!("file://{}", self.path(page).display())).env("HOME", self.folder.path());
        // Into a file, so that nobody has to read while it runs.
        let dom = std::fs::File::create(self.path("dom")).unwrap();
        let mut child = command.stdin(Stdio::null()).stdout(dom).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > Duration::from_secs(120) {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("the browser does not end");
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        assert!(status.success(), "{status}");
        self.text("dom")
    }
}

/// Every text of this record would make an element, run a script or load something if it were taken for markup.
pub(super) fn record() -> serde_json::Value {
    json!({
        "story_id": "<u>1</u>", "example_id": "<b>7</b>",
        "premises": [
            "If a <b>page</b> runs <script>document.title='run'</script>, it is bad & \"quoted\".",
            "</td></table><img src=x onerror=document.title='run'>",
        ],
        "premises-FOL": ["∀x (Runs(x, script) → Bad(x)", "Runs(page, <script>document.title='run'</script>)"],
        "conclusion": "<iframe src='https://example.org/'></iframe>",
        "conclusion-FOL": "Bad(page) → </pre></code><script>document.title='run'</script>",
        "label": "<i>True</i>",
    })
}

/// The names of all elements of a document as it was printed.
pub(super) fn elements(dom: &str) -> BTreeSet<&str> {
    dom.split('<')
        .skip(1)
        .map(|tag| tag.trim_start_matches(['/', '!']))
        .map(|tag| {
            let end = tag.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tag.len());
            tag.get(..end).unwrap_or_default()
        })
        .collect()
}

#[test]
fn in_a_browser_what_the_data_says_is_text() {
    let Some(chromium) = chromium() else { return };
    let env = TestEnvironment::new();
    env.write("train.jsonl", format!("{}\n", record()));
    assert_eq!(env.run(&["explain", "train.jsonl:0", "--format", "html", "--output", "page.html"]).success(), "");
    let dom = env.dom(&chromium, "page.html");
    let known = [
        "body", "br", "code", "div", "doctype", "h1", "h2", "head", "html", "li", "meta", "p", "pre", "span", "strong",
        "style", "table", "tbody", "td", "th", "thead", "title", "tr", "ul",
    ];
    let unknown: Vec<_> =
        elements(&dom).into_iter().filter(|name| !known.contains(&name.to_lowercase().as_str())).collect();
    assert!(unknown.is_empty(), "{unknown:?} in {dom}");
    assert!(dom.contains("<title>record &lt;b&gt;7&lt;/b&gt;: Unparsed · refolio</title>"), "{dom}");
    for text in [
        "If a &lt;b&gt;page&lt;/b&gt; runs &lt;script&gt;document.title='run'&lt;/script&gt;, it is bad &amp; \"quoted\".",
        "&lt;/td&gt;&lt;/table&gt;&lt;img src=x onerror=document.title='run'&gt;",
        "<code>Runs(page, &lt;script&gt;document.title='run'&lt;/script&gt;)</code>",
        "&lt;iframe src='https://example.org/'&gt;&lt;/iframe&gt;",
        "<code>Bad(page) → &lt;/pre&gt;&lt;/code&gt;&lt;script&gt;document.title='run'&lt;/script&gt;</code>",
        "labelled <code>&lt;i&gt;True&lt;/i&gt;</code>",
    ] {
        assert!(dom.contains(text), "{text} is not in {dom}");
    }
    // Nothing refers to anything else: no attribute that loads, and nothing in the style.
    let tags = dom.split('<').skip(1).filter_map(|tag| tag.split_once('>')).map(|(tag, _)| tag);
    for tag in tags {
        for attribute in ["src", "href", "srcset", "action", "data", "background", "poster", "xlink"] {
            assert!(!tag.contains(&format!(" {attribute}=")), "{tag}");
        }
        assert!(!tag.contains(" on"), "{tag}");
    }
    let (_, style) = dom.split_once("<style>").unwrap();
    let (style, _) = style.split_once("</style>").unwrap();
    assert!(!style.contains("url(") && !style.contains("@import") && !style.contains("://"), "{style}");
}

/// Records whose pages hold a proof, two worlds with many long names, and a formula without a reading.
fn pages(env: &TestEnvironment) -> Vec<String> {
    let names =
        ["annualSchoolTalentShow", "highSchoolDance", "academicCareerFair", "localCommunityCentre", "bonnie", "kim"];
    let facts: Vec<String> =
        names.iter().map(|n| format!("InThisClubSinceTheVeryBeginning({n}) ∨ Perform({n}, kim)")).collect();
    let row = |premises: &[&str], conclusion: &str| {
        json!({
            "premises": vec!["Averyverylongwordthatnobodywouldeverwritebutthatmaystandinthedataallthesame."; premises.len()],
            "premises-FOL": premises, "conclusion": "A sentence.", "conclusion-FOL": conclusion, "label": "True",
        })
    };
    let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
    let rows = [
        row(&["∀x (Gull(x) → LoudAndCheerfulAllDay(x))", "Gull(sandy)"], "LoudAndCheerfulAllDay(sandy)"),
        row(&facts, "Perform(bonnie, highSchoolDance)"),
        row(
            &["∀x (Gull(x) → → LoudAndCheerfulAllDayAndNightAndInTheMorningToo(x) ∧ (Happy(x) ∨ Sad(x)))"],
            "Gull(sandy)",
        ),
    ];
    env.write("train.jsonl", rows.iter().map(|row| format!("{row}\n")).collect::<String>());
    let page = |i: usize| {
        let (record, file) = (format!("train.jsonl:{i}"), format!("page{i}.html"));
        assert_eq!(env.run(&["explain", &record, "--format", "html", "--output", &file]).success(), "");
        env.text(&file)
    };
    (0..rows.len()).map(page).collect()
}

/// Each page in frames as wide as a phone and a desk; a script outside measures what is inside.
#[test]
fn in_a_browser_no_page_is_wider_than_its_window() {
    let Some(chromium) = chromium() else { return };
    let env = TestEnvironment::new();
    let pages = pages(&env);
    assert!(
        pages[0].contains("<ol class=\"steps\">") && pages[1].contains("<div class=\"scroll\""),
        "a proof and a table"
    );
    let frames: String = [390, 1200]
        .iter()
        .flat_map(|width| pages.iter().map(move |page| (width, page.replace('&', "&amp;").replace('"', "&quot;"))))
        .map(|(width, page)| {
            format!("<iframe style=\"width:{width}px;height:900px;border:0\" srcdoc=\"{page}\"></iframe>\n")
        })
        .collect();
    // Of each page: the width of its frame, how much wider the page is than its window, formulas; then the elements that
    // stick out, names in tables that are broken within a word, and reasons that stand left of the number of their step.
    let script = "onload = () => { document.body.textContent = [...document.querySelectorAll('iframe')].map(f => { \
        const d = f.contentDocument, html = d.documentElement, all = s => [...d.querySelectorAll(s)]; \
        const box = e => e.getBoundingClientRect(); \
        const out = all('body *').filter(e => !e.closest('.scroll table, pre') && box(e).right > html.clientWidth + 1); \
        const lines = n => { const r = d.createRange(); r.selectNodeContents(n); return r.getClientRects().length; }; \
        const broken = all('.scroll th code').filter(e => [...e.childNodes].some(n => n.nodeType === 3 && lines(n) > 1)); \
        const left = all('.why').filter(e => box(e).left < box(e.closest('li').querySelector('.number')).right); \
        return [f.clientWidth, html.scrollWidth - html.clientWidth, all('.statements code').length, \
            ...[...out, ...broken, ...left].map(e => e.tagName)].join(' '); \
        }).join(' | ') + ' |'; }";
    env.write("frames.html", format!("<!doctype html><meta charset=utf-8><script>{script}</script>\n{frames}"));
    let dom = env.dom(&chromium, "frames.html");
    let (_, body) = dom.split_once("<body>").unwrap();
    let told: Vec<&str> = body.split('|').map(str::trim).take(6).collect();
    assert_eq!(told, ["390 0 3", "390 0 7", "390 0 2", "1200 0 3", "1200 0 7", "1200 0 2"]);
}
