//! Which sentence of one row is which of the other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::likeness::{Words, in_order, normal};

/// Sentences less alike than this are not one that was rewritten, where they stand in order.
const IN_ORDER: f64 = 0.2;

/// Likewise for those that stand elsewhere: without their place, more must speak for it.
const ELSEWHERE: f64 = 0.5;

/// Which text of an old list is which of a new one, by index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pairs {
    /// The same text but for case and spaces, by the old index.
    pub(super) same: Vec<(usize, usize)>,
    /// Rewritten, by the old index.
    pub(super) changed: Vec<(usize, usize)>,
    /// Only in the old list.
    pub(super) dropped: Vec<usize>,
    /// Only in the new list.
    pub(super) added: Vec<usize>,
}

impl Pairs {
    /// Pairs equal texts wherever they stand, then texts that are alike and in order, then those that are much alike.
    pub(super) fn of(old: &[String], new: &[String]) -> Self {
        let mut places: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
        for (j, text) in new.iter().enumerate() {
            places.entry(normal(text)).or_default().push_back(j);
        }
        let mut out = Self::default();
        for (i, text) in old.iter().enumerate() {
            match places.get_mut(&normal(text)).and_then(VecDeque::pop_front) {
                Some(j) => out.same.push((i, j)),
                None => out.dropped.push(i),
            }
        }
        out.added = places.into_values().flatten().collect();
        out.added.sort_unstable();
        let words = |texts: &[String], left: &[usize]| -> Vec<Words> {
            left.iter().map(|i| Words::of(texts.get(*i).map(String::as_str))).collect()
        };
        let (olds, news) = (words(old, &out.dropped), words(new, &out.added));
        let score = |i: usize, j: usize| match (olds.get(i), news.get(j)) {
            (Some(a), Some(b)) => a.likeness(b),
            _ => 0.0,
        };
        let mut found = in_order(olds.len(), news.len(), IN_ORDER, score);
        found.extend(elsewhere(olds.len(), news.len(), &found, score));
        let (mut olds, mut news) = (BTreeSet::new(), BTreeSet::new());
        for (i, j) in found {
            if let (Some(a), Some(b)) = (out.dropped.get(i), out.added.get(j)) {
                out.changed.push((*a, *b));
                olds.insert(*a);
                news.insert(*b);
            }
        }
        out.dropped.retain(|i| !olds.contains(i));
        out.added.retain(|j| !news.contains(j));
        out.changed.sort_unstable();
        out
    }

    /// Whether what both lists have stands in another order.
    pub(super) fn is_reordered(&self) -> bool {
        let mut both: Vec<(usize, usize)> = self.same.iter().chain(&self.changed).copied().collect();
        both.sort_unstable();
        both.windows(2).any(|pair| matches!(pair, [(_, a), (_, b)] if a > b))
    }

    /// How many texts are not the same, on the side that has more of them.
    pub(super) fn differing(&self) -> usize {
        self.changed.len() + self.dropped.len().max(self.added.len())
    }
}

/// Of what is left of both sides, the pairs that are much alike, the likest first.
fn elsewhere(
    rows: usize,
    columns: usize,
    taken: &[(usize, usize)],
    score: impl Fn(usize, usize) -> f64,
) -> Vec<(usize, usize)> {
    let mut open: Vec<(f64, usize, usize)> = (0..rows)
        .filter(|i| taken.iter().all(|(a, _)| a != i))
        .flat_map(|i| (0..columns).map(move |j| (i, j)))
        .filter(|(_, j)| taken.iter().all(|(_, b)| b != j))
        .map(|(i, j)| (score(i, j), i, j))
        .filter(|(s, ..)| *s >= ELSEWHERE)
        .collect();
    open.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut out: Vec<(usize, usize)> = Vec::new();
    for (_, i, j) in open {
        if out.iter().all(|(a, b)| *a != i && *b != j) {
            out.push((i, j));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(old: &[&str], new: &[&str]) -> Pairs {
        let texts = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        Pairs::of(&texts(old), &texts(new))
    }

    #[test]
    fn another_order_is_no_other_sentence() {
        let found = pairs(&["A b c.", "D e f.", "G h i."], &["G h i.", "a  B c.", "D e f."]);
        assert_eq!(found.same, [(0, 1), (1, 2), (2, 0)]);
        assert!(found.is_reordered() && found.differing() == 0);
        // Equal sentences do not change places with each other.
        assert!(!pairs(&["A b.", "A b.", "C d."], &["A b.", "A b.", "C d."]).is_reordered());
        // Nor is it another order where one was dropped or put between.
        let fewer = pairs(&["A b.", "C d.", "E f."], &["A b.", "X y.", "E f."]);
        assert_eq!((fewer.is_reordered(), fewer.differing()), (false, 1));
    }

    #[test]
    fn rewritten_sentences_are_paired() {
        let found = pairs(&["All dogs bark.", "Rex is a dog."], &["All big dogs bark.", "Rex is a dog."]);
        assert_eq!((found.same.as_slice(), found.changed.as_slice()), ([(1, 1)].as_slice(), [(0, 0)].as_slice()));
        // One that was rewritten and moved.
        let found =
            pairs(&["All old dogs bark.", "Rex sits."], &["Max runs.", "All old dogs bark loudly.", "Rex sits."]);
        assert_eq!(found.changed, [(0, 1)]);
        let moved =
            pairs(&["All old dogs bark.", "No cat ever sings."], &["No cat sings.", "All old dogs bark loudly."]);
        assert_eq!(moved.changed, [(0, 1), (1, 0)]);
        assert!(moved.is_reordered() && moved.dropped.is_empty());
    }
}
