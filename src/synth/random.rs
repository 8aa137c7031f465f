//! Random numbers that are the same on every machine and in every version.

/// `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014): small, fast, and without a state that could be set up badly.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    /// The numbers of one draft of a story: they depend on the seed, the story and the draft alone.
    pub(crate) fn of(seed: u64, story: u64, draft: u64) -> Self {
        let mixed = Self(seed).next() ^ story;
        Self(Self(mixed).next() ^ draft)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Self::STEP);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 where `end` is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let scaled = (u128::from(self.next()) * end as u128) >> 64;
        usize::try_from(scaled).unwrap_or(0)
    }

    /// True in so many of a hundred cases.
    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of them.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// One of them, each as likely as its weight says.
    pub(crate) fn weighed<'a, T>(&mut self, items: &'a [T], weight: impl Fn(&T) -> usize) -> Option<&'a T> {
        let mut at = self.below(items.iter().map(&weight).sum());
        items.iter().find(|item| {
            let weight = weight(item);
            let found = at < weight;
            at = at.saturating_sub(weight);
            found
        })
    }

    /// A value of a measured distribution: pairs of a value and how often it was seen.
    pub(crate) fn measured(&mut self, counts: &[(usize, usize)]) -> usize {
        self.weighed(counts, |(_, count)| *count).map_or(0, |(value, _)| *value)
    }

    /// Puts them in another order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_fixed() {
        // The first outputs for seed 1234567, as published with the reference implementation.
        let mut random = Random(1_234_567);
        let found: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(found, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn weights_are_heeded() {
        let mut random = Random::of(1, 2, 0);
        let mut seen = [0; 3];
        for _ in 0..4000 {
            seen[random.measured(&[(0, 1), (1, 0), (2, 3)])] += 1;
        }
        assert_eq!(seen[1], 0);
        assert!((900..1100).contains(&seen[0]), "{seen:?}");
        assert_eq!(random.below(0), 0);
    }
}
