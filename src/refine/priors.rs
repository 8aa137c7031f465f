//! The kinds of repair that search knows, and how far each is to be trusted.

/// A kind of repair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RepairRule {
    /// Its name: the column `edits.rule`.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// What one such edit costs: smaller is tried first, and of two repairs the one that costs less is the nearer.
    pub cost: f64,
    /// How many of its accepted edits gave back the original where errors were made on purpose, and how many there were.
    pub measured: (u32, u32),
}

macro_rules! rules {
    ($($constant:ident $name:literal $cost:literal $right:literal / $all:literal $summary:literal;)*) => {
        $(
            #[doc = $summary]
            pub const $constant: RepairRule = RepairRule {
                name: $name,
                summary: $summary,
                cost: $cost,
                measured: ($right, $all),
            };
        )*
        /// Every rule, in the order of the documentation.
        pub const ALL: &[RepairRule] = &[$($constant),*];
    };
}

rules! {
    CASE "merge-case" 1.0 177/179 "Two names that differ in upper and lower case are one symbol";
    PUNCTUATION "merge-punctuation" 1.0 0/0 "Two names that differ in hyphens, underscores, dots or apostrophes are one symbol";
    NUMBER "merge-number" 1.2 0/0 "Two names of one number (`seven`, `num7`) are one symbol";
    INFLECTION "merge-inflection" 1.4 168/169 "Two names that differ in a plural or verb ending are one symbol";
    FUNCTION_WORDS "merge-function-words" 1.8 0/0 "Two names that differ in words such as `is`, `the`, `of` are one symbol";
    LETTERS "merge-letters" 1.8 98/99 "Two names that differ in one or two letters are one symbol";
    ABBREVIATION "merge-abbreviation" 2.2 4/4 "A name and its abbreviation are one symbol";
    PASSIVE "merge-passive" 2.4 0/0 "`WrittenBy(a, b)` is `Write(b, a)`";
    PART "merge-part" 2.8 5/6 "A name stands for a longer or shorter one whose words are all in the sentence";
    SENTENCE "name-of-sentence" 3.4 32/32 "A name that the sentence does not have stands for one that it has";
    CAPTURE "named-individual" 2.0 27/27 "A free variable stands where the sentence names an individual";
    ARGUMENT "other-argument" 3.0 0/0 "An argument stands twice where the sentence names another individual";
    SWAP "swapped-arguments" 2.6 27/27 "The arguments stand the other way round everywhere else";
    RESTRICT "condition-of-sentence" 3.0 34/34 "The sentence speaks of all of a kind, and the formula says `∧` where it should say `→`";
    UNPACK "unpack-argument" 2.0 75/75 "A predicate's name holds what other formulas write as an argument";
    OPEN "open-arguments" 1.0 29/29 "The bracket between a predicate and its first argument is missing, and the story has both names";
    UNSAFE "unsafe-fix" 3.0 120/120 "The unsafe fix of a rule";
    ALTERNATIVE "other-bracket" 3.0 28/28 "A missing or surplus bracket belongs elsewhere";
    PRIOR "prior-version" 2.6 0/0 "Another version of the dataset writes another formula for the same sentence (`--prior`)";
    NEGATION "negation-of-sentence" 3.0 49/49 "The sentence denies and the formula does not, or the other way round";
    EITHER "exclusive-of-sentence" 3.2 11/11 "The sentence says “either … or” and the formula has `∨`";
}

/// The rule of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static RepairRule> {
    ALL.iter().find(|rule| rule.name == name)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    const BEGIN: &str = "<!-- rules: written by a test in src/refine/priors.rs -->\n";
    const END: &str = "<!-- rules end -->";

    fn table() -> String {
        let mut out = String::from(
            "| rule | cost | what it mends | right, of errors made on purpose |\n| :-- | --: | :-- | --: |\n",
        );
        for rule in ALL {
            let (right, all) = rule.measured;
            let measured = if all == 0 { "–".to_owned() } else { format!("{right} of {all}") };
            let _ = writeln!(out, "| `{}` | {:.1} | {} | {measured} |", rule.name, rule.cost, rule.summary);
        }
        out
    }

    /// `REFOLIO_UPDATE_DOCS=1` writes the table into the page instead of comparing it.
    #[test]
    fn the_page_about_the_ladder_has_every_rule() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/ladder.md");
        let page = std::fs::read_to_string(path).expect("the page");
        let (head, rest) = page.split_once(BEGIN).expect("the beginning of the table");
        let (old, tail) = rest.split_once(END).expect("its end");
        if std::env::var_os("REFOLIO_UPDATE_DOCS").is_some() {
            std::fs::write(path, format!("{head}{BEGIN}{}{END}{tail}", table())).expect("written");
        } else {
            assert_eq!(old, table(), "run this test once with REFOLIO_UPDATE_DOCS=1");
        }
    }

    #[test]
    fn rules_are_told_apart_and_none_was_right_more_often_than_asked() {
        for (i, rule) in ALL.iter().enumerate() {
            assert!(rule.cost > 0.0 && rule.measured.0 <= rule.measured.1, "{}", rule.name);
            assert!(ALL.iter().skip(i + 1).all(|other| other.name != rule.name));
            assert_eq!(find(rule.name), Some(rule));
        }
    }
}
