//! How alike two texts are.

use std::collections::BTreeMap;

/// The words of a text, in lower case, with how often each occurs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Words(BTreeMap<String, usize>);

impl Words {
    pub(super) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut out = BTreeMap::new();
        for text in texts {
            for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
                *out.entry(word.to_lowercase()).or_default() += 1;
            }
        }
        Self(out)
    }

    /// The words that both have over those that either has, each as often as it occurs (the Jaccard index of multisets),
    /// from 0 to 1. Two texts without words are alike.
    pub(super) fn likeness(&self, other: &Self) -> f64 {
        let (mut both, mut either) = (0_usize, 0_usize);
        for (word, count) in &self.0 {
            let there = other.0.get(word).copied().unwrap_or_default();
            both += (*count).min(there);
            either += (*count).max(there);
        }
        either += other.0.iter().filter(|(word, _)| !self.0.contains_key(*word)).map(|(_, count)| count).sum::<usize>();
        if either == 0 {
            return 1.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "texts have few words")]
        let share = both as f64 / either as f64;
        share
    }
}

/// A text without what does not matter: case, and the number of spaces.
pub(super) fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The pairs, in order on both sides, whose scores add up to most; pairs that score less than `least` are none.
///
/// This is the global alignment of Needleman and Wunsch (1970) with gaps that cost nothing.
pub(super) fn in_order(
    rows: usize,
    columns: usize,
    least: f64,
    score: impl Fn(usize, usize) -> f64,
) -> Vec<(usize, usize)> {
    let at = |i: usize, j: usize| i * (columns + 1) + j;
    let mut best = vec![0.0_f64; (rows + 1) * (columns + 1)];
    let mut scores = vec![0.0_f64; rows * columns];
    for i in 0..rows {
        for j in 0..columns {
            let s = score(i, j);
            scores[i * columns + j] = s;
            let with = if s >= least { best[at(i, j)] + s } else { f64::NEG_INFINITY };
            best[at(i + 1, j + 1)] = with.max(best[at(i, j + 1)]).max(best[at(i + 1, j)]);
        }
    }
    let mut out = Vec::new();
    let (mut i, mut j) = (rows, columns);
    while i > 0 && j > 0 {
        let here = best[at(i, j)];
        if here <= best[at(i - 1, j)] {
            i -= 1;
        } else if here <= best[at(i, j - 1)] {
            j -= 1;
        } else {
            i -= 1;
            j -= 1;
            out.push((i, j));
        }
    }
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_counts_words() {
        let like = |a: &str, b: &str| Words::of([a]).likeness(&Words::of([b]));
        assert_eq!(like("All dogs bark.", "all DOGS bark"), 1.0);
        assert_eq!(like("a b", "c d"), 0.0);
        assert_eq!(like("a a b", "a b b"), 0.5);
        assert_eq!(like("", ""), 1.0);
    }

    #[test]
    fn pairs_stay_in_order_and_score_most() {
        let scores = [[0.9, 0.1, 0.8], [0.2, 0.0, 0.9]];
        let found = in_order(2, 3, 0.3, |i, j| scores[i][j]);
        assert_eq!(found, [(0, 0), (1, 2)]);
        assert_eq!(in_order(2, 3, 0.95, |i, j| scores[i][j]), []);
        assert_eq!(in_order(0, 3, 0.3, |_, _| 1.0), []);
    }
}
