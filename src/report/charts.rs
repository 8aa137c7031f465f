//! The pictures of a report, drawn by the crate `kuva` as SVG.
//!
//! Colours are the page's variables, so that one picture serves light and dark.

use std::collections::BTreeMap;

use kuva::backend::svg::SvgBackend;
use kuva::plot::{BarPlot, SankeyPlot};
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;
use kuva::render::theme::Theme;

use crate::explain::escaped;

/// Pixels from side to side; the page scales it.
const WIDTH: f64 = 720.0;

/// A picture, and the numbers in it for those who cannot see it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chart {
    /// What it shows.
    pub(super) title: String,
    /// A sentence on how to read it.
    pub(super) note: &'static str,
    /// The picture.
    pub(super) svg: String,
    /// Heads of the table.
    pub(super) head: Vec<String>,
    /// Its lines.
    pub(super) rows: Vec<Vec<String>>,
}

/// The colour of a word that is an agreement, a status or a kind of edit.
fn colour(word: &str) -> &'static str {
    match word {
        "agree" | "verified" | "as it came" => "var(--c-good)",
        "repaired" | "fix" | "normalise" => "var(--c-blue)",
        "relabelled" | "human" => "var(--c-violet)",
        "search" | "prior" => "var(--c-teal)",
        "llm" => "var(--c-pink)",
        "conflict" | "problematic" => "var(--c-bad)",
        "inconsistent" => "var(--c-orange)",
        "unparsed" => "var(--c-yellow)",
        _ => "var(--c-grey)",
    }
}

fn theme() -> Theme {
    let ink = || "var(--fg)".to_owned();
    Theme {
        background: "none".to_owned(),
        axis_color: ink(),
        grid_color: "var(--line)".to_owned(),
        tick_color: ink(),
        text_color: ink(),
        legend_bg: "none".to_owned(),
        legend_border: "none".to_owned(),
        font_family: Some("system-ui, sans-serif".to_owned()),
        ..Theme::light()
    }
}

fn draw(title: &str, plot: Plot, height: f64, more: impl FnOnce(Layout) -> Layout) -> String {
    let plots = vec![plot];
    let layout = Layout::auto_from_plots(&plots).with_theme(theme()).with_width(WIDTH).with_height(height);
    let svg = SvgBackend.render_scene(&render_multiple(plots, more(layout)));
    labelled(&svg, title, height)
}

/// The picture as an image with a name, as wide as there is room.
fn labelled(svg: &str, title: &str, height: f64) -> String {
    let inner = svg.find("<svg").and_then(|at| svg.get(at..)).unwrap_or_default();
    let (open, rest) = inner.split_once('>').unwrap_or((inner, ""));
    let kept: String = open
        .split('"')
        .collect::<Vec<_>>()
        .chunks(2)
        .filter(|pair| pair.first().is_some_and(|name| !name.ends_with("width=") && !name.ends_with("height=")))
        .filter_map(|pair| match pair {
            [name, value] => Some(format!("{}\"{value}\"", name.replace("<svg", ""))),
            _ => None,
        })
        .collect();
    let title = escaped(title);
    format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{title}\"{kept}>{rest}")
}

/// Bars that are stacked: for each line its name and, in the order of `parts`, its numbers.
pub(super) fn stacked(title: &str, note: &'static str, parts: &[&str], lines: &[(String, Vec<u64>)]) -> Chart {
    let shown: Vec<usize> =
        (0..parts.len()).filter(|i| lines.iter().any(|(_, n)| n.get(*i).is_some_and(|n| *n > 0))).collect();
    let name = |i: &usize| parts.get(*i).copied().unwrap_or_default();
    let mut plot = BarPlot::new().with_stacked().with_horizontal(true).with_width(0.7);
    // The first line is to be on top.
    for (line, numbers) in lines.iter().rev() {
        let value = |i: &usize| numbers.get(*i).copied().unwrap_or_default();
        plot = plot.with_group(shortened(line), shown.iter().map(|i| (as_f64(value(i)), colour(name(i)))));
    }
    let plot = plot.with_legend(shown.iter().map(name).collect());
    let height = 70.0 + 34.0 * as_f64(lines.len() as u64).max(2.0);
    let svg = draw(title, Plot::Bar(plot), height.max(60.0 + 18.0 * as_f64(shown.len() as u64)), |layout| layout);
    Chart {
        title: title.to_owned(),
        note,
        svg,
        head: std::iter::once(String::new()).chain(shown.iter().map(|i| name(i).to_owned())).collect(),
        rows: lines
            .iter()
            .map(|(line, n)| {
                let numbers = shown.iter().map(|i| n.get(*i).copied().unwrap_or_default().to_string());
                std::iter::once(line.clone()).chain(numbers).collect()
            })
            .collect(),
    }
}

/// Bars one below the other, the first on top.
pub(super) fn bars(
    title: &str,
    note: &'static str,
    what: &str,
    lines: &[(String, f64)],
    number: fn(f64) -> String,
) -> Chart {
    let mut plot = BarPlot::new().with_horizontal(true).with_color("var(--c-blue)").with_width(0.7);
    for (name, value) in lines.iter().rev() {
        plot = plot.with_bar(shortened(name), *value);
    }
    let svg = draw(title, Plot::Bar(plot), 60.0 + 22.0 * as_f64(lines.len() as u64).max(2.0), |layout| layout);
    Chart {
        title: title.to_owned(),
        note,
        svg,
        head: vec![String::new(), what.to_owned()],
        rows: lines.iter().map(|(name, value)| vec![name.clone(), number(*value)]).collect(),
    }
}

/// Bars side by side.
pub(super) fn columns(title: &str, note: &'static str, what: (&str, &str), lines: &[(String, u64)]) -> Chart {
    let mut plot = BarPlot::new().with_color("var(--c-blue)").with_width(0.9);
    for (name, value) in lines {
        plot = plot.with_bar(name.clone(), as_f64(*value));
    }
    let svg = draw(title, Plot::Bar(plot), 300.0, |layout| {
        layout.with_x_label(what.0).with_y_label(what.1).with_show_grid(false)
    });
    Chart {
        title: title.to_owned(),
        note,
        svg,
        head: vec![what.0.to_owned(), what.1.to_owned()],
        rows: lines.iter().map(|(name, value)| vec![name.clone(), value.to_string()]).collect(),
    }
}

/// Rows that flow from one column of words to the next: for each path how many.
pub(super) fn flow(title: &str, note: &'static str, paths: &BTreeMap<[String; 3], u64>) -> Chart {
    // A word can stand in two columns, and a node has one place: a blank nobody sees tells them apart.
    let node = |column: usize, word: &str| format!("{word}{}", "\u{200b}".repeat(column));
    let mut links: BTreeMap<(usize, String, String), u64> = BTreeMap::new();
    let mut plot = SankeyPlot::new()
        .with_flow_labels()
        .with_flow_label_min_height(13.0)
        .with_link_opacity(0.35)
        .with_node_width(16.0)
        .with_node_gap(14.0);
    let mut nodes: BTreeMap<(usize, String), u64> = BTreeMap::new();
    for (path, n) in paths {
        for (column, word) in path.iter().enumerate() {
            *nodes.entry((column, word.clone())).or_default() += n;
        }
        let [from, by, to] = path;
        *links.entry((0, from.clone(), by.clone())).or_default() += n;
        *links.entry((1, by.clone(), to.clone())).or_default() += n;
    }
    let mut ordered: Vec<_> = nodes.iter().collect();
    ordered.sort_by_key(|((column, word), n)| (*column, std::cmp::Reverse(**n), word.clone()));
    for ((column, word), _) in &ordered {
        plot = plot.with_node_color(node(*column, word), colour(word)).with_node_column(node(*column, word), *column);
    }
    for ((column, from, to), n) in &links {
        plot = plot.with_link(node(*column, from), node(column + 1, to), as_f64(*n));
    }
    let most = (0..3).map(|c| nodes.keys().filter(|(column, _)| *column == c).count()).max().unwrap_or_default();
    let svg = draw(title, Plot::Sankey(plot), 220.0 + 40.0 * as_f64(most as u64), |layout| layout);
    let rows = paths.iter().map(|(path, n)| path.iter().cloned().chain([n.to_string()]).collect());
    Chart {
        title: title.to_owned(),
        note,
        svg,
        head: ["as it came", "last mended by", "status", "rows"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
    }
}

/// Names of splits can be of any length.
fn shortened(name: &str) -> String {
    const LONGEST: usize = 28;
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    name.chars().take(LONGEST - 1).chain(['…']).collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of rows are far below 2^53")]
fn as_f64(n: u64) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_a_name_scales_and_holds_no_markup_of_the_data() {
        let name = "<script>x</script>".to_owned();
        let chart = stacked(
            "Agreement <b>",
            "",
            &["agree", "conflict"],
            &[(name.clone(), vec![3, 1]), ("b".to_owned(), vec![0, 2])],
        );
        assert!(chart.svg.starts_with("<svg viewBox=\"0 0 720 "), "{}", chart.svg);
        assert!(chart.svg.contains("role=\"img\" aria-label=\"Agreement &lt;b&gt;\""), "{}", chart.svg);
        assert!(!chart.svg.contains("<script") && !chart.svg.contains("width=\"720\""), "{}", chart.svg);
        assert!(chart.svg.contains("var(--c-good)") && chart.svg.ends_with("</svg>"));
        assert_eq!(chart.head, ["", "agree", "conflict"]);
        assert_eq!(
            chart.rows,
            [vec![name, "3".to_owned(), "1".to_owned()], ["b", "0", "2"].map(str::to_owned).to_vec()]
        );
    }

    #[test]
    fn what_never_occurs_is_not_drawn() {
        let chart = stacked("", "", &["agree", "conflict", "unparsed"], &[("a".to_owned(), vec![3, 0, 1])]);
        assert_eq!(chart.head, ["", "agree", "unparsed"]);
    }

    #[test]
    fn rows_flow_from_column_to_column() {
        let path = |words: [&str; 3]| words.map(str::to_owned);
        let paths = [(path(["agree", "as it came", "verified"]), 5), (path(["unparsed", "fix", "repaired"]), 2)].into();
        let chart = flow("Ladder", "", &paths);
        for word in ["agree", "as it came", "verified", "unparsed", "fix", "repaired"] {
            assert!(chart.svg.contains(word), "{word} in {}", chart.svg);
        }
        assert_eq!(chart.rows.len(), 2);
    }
}
