//! The page for reviews: one file, its style and script within.

use crate::page;

const TEMPLATE: &str = include_str!("assets/review.html");
const STYLE: &str = include_str!("assets/review.css");
const SCRIPT: &str = include_str!("assets/review.js");

/// The page, and the policy that a browser is to hold it to: its own script, calls to where it came from, and nothing
/// else.
pub(super) fn html() -> (String, String) {
    let script = format!("{}\n{SCRIPT}", page::ROW_SCRIPT);
    let policy = format!(
        "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; script-src '{}'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
        page::script_hash(&script)
    );
    let html = TEMPLATE
        .replace("{{ style }}", &format!("{}\n{}\n{STYLE}", page::STYLE, page::ROW_STYLE))
        .replace("{{ script }}", &script);
    (html, policy)
}
