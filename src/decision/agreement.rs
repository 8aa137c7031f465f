//! How far reviewers agree beyond chance.

use std::collections::{BTreeMap, BTreeSet};

use super::Decision;
use super::settle::{category, standing};

/// Two reviewers, compared on the rows that both decided.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreement {
    /// The one whose name comes first.
    pub first: String,
    /// The other.
    pub second: String,
    /// Rows that both decided.
    pub rows: usize,
    /// Those on which they chose the same: `accept`, `edit` (accepted with edits, whatever they are), `relabel` to the same
    /// label, `ambiguous` or `reject`.
    pub same: usize,
    /// Those of them on which the edits are the same too.
    pub identical: usize,
    /// Cohen's κ over these choices (Cohen 1960), from -1 to 1; `None` where there are no common rows, or where chance
    /// alone would have them agree on all.
    pub kappa: Option<f64>,
}

/// Every pair of reviewers, in order of their names.
#[must_use]
pub fn agreement(decisions: &[Decision]) -> Vec<Agreement> {
    let standing = standing(decisions);
    let reviewers: BTreeSet<&str> = standing.values().flat_map(|by| by.keys().copied()).collect();
    let reviewers: Vec<&str> = reviewers.into_iter().collect();
    let pairs = reviewers.iter().enumerate().flat_map(|(i, a)| reviewers.iter().skip(i + 1).map(move |b| (*a, *b)));
    let compare = |(a, b): (&str, &str)| {
        let both: Vec<(&Decision, &Decision)> =
            standing.values().filter_map(|by| Some((*by.get(a)?, *by.get(b)?))).collect();
        let choices: Vec<(String, String)> = both.iter().map(|(x, y)| (category(x), category(y))).collect();
        Agreement {
            first: a.to_owned(),
            second: b.to_owned(),
            rows: both.len(),
            same: choices.iter().filter(|(x, y)| x == y).count(),
            identical: both.iter().filter(|(x, y)| x.substance() == y.substance()).count(),
            kappa: kappa(&choices),
        }
    };
    pairs.map(compare).collect()
}

/// Cohen's κ of two raters' choices.
fn kappa(choices: &[(String, String)]) -> Option<f64> {
    let n = choices.len() as f64;
    if choices.is_empty() {
        return None;
    }
    let observed = choices.iter().filter(|(a, b)| a == b).count() as f64 / n;
    let mut counts: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for (a, b) in choices {
        counts.entry(a).or_default().0 += 1.0;
        counts.entry(b).or_default().1 += 1.0;
    }
    let expected: f64 = counts.values().map(|(a, b)| (a / n) * (b / n)).sum();
    ((1.0 - expected).abs() > f64::EPSILON).then(|| (observed - expected) / (1.0 - expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(table: &[(&str, &str, usize)]) -> Vec<(String, String)> {
        table.iter().flat_map(|(a, b, n)| std::iter::repeat_n(((*a).to_owned(), (*b).to_owned()), *n)).collect()
    }

    #[test]
    fn kappa_of_known_tables() {
        // 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: observed 0.7, expected 0.5.
        let table = choices(&[("yes", "yes", 20), ("yes", "no", 5), ("no", "yes", 10), ("no", "no", 15)]);
        assert!((kappa(&table).expect("defined") - 0.4).abs() < 1e-12);
        assert_eq!(kappa(&choices(&[("a", "a", 3), ("b", "b", 2)])), Some(1.0));
        assert!((kappa(&choices(&[("a", "b", 1), ("b", "a", 1)])).expect("defined") + 1.0).abs() < 1e-12);
        assert_eq!(kappa(&choices(&[("a", "a", 4)])), None, "agreement was certain");
        assert_eq!(kappa(&[]), None);
    }
}
