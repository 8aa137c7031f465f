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
}

macro_rules! rules {
    ($($constant:ident $name:literal $cost:literal $summary:literal;)*) => {
        $(
            #[doc = $summary]
            pub const $constant: RepairRule = RepairRule { name: $name, summary: $summary, cost: $cost };
        )*
        /// Every rule, in the order of the documentation.
        pub const ALL: &[RepairRule] = &[$($constant),*];
    };
}

rules! {
    CASE "merge-case" 1.0 "Two names that differ in upper and lower case are one symbol";
    PUNCTUATION "merge-punctuation" 1.0 "Two names that differ in hyphens, underscores, dots or apostrophes are one symbol";
    NUMBER "merge-number" 1.2 "Two names of one number (`seven`, `num7`) are one symbol";
    INFLECTION "merge-inflection" 1.4 "Two names that differ in a plural or verb ending are one symbol";
    FUNCTION_WORDS "merge-function-words" 1.8 "Two names that differ in words such as `is`, `the`, `of` are one symbol";
    LETTERS "merge-letters" 1.8 "Two names that differ in one or two letters are one symbol";
    ABBREVIATION "merge-abbreviation" 2.2 "A name and its abbreviation are one symbol";
    PASSIVE "merge-passive" 2.4 "`WrittenBy(a, b)` is `Write(b, a)`";
    PART "merge-part" 2.8 "A name stands for a longer or shorter one whose words are all in the sentence";
    SENTENCE "name-of-sentence" 3.4 "A name that the sentence does not have stands for one that it has";
    CAPTURE "named-individual" 2.0 "A free variable stands where the sentence names an individual";
    ARGUMENT "other-argument" 3.0 "An argument stands twice where the sentence names another individual";
    SWAP "swapped-arguments" 2.6 "The arguments stand the other way round everywhere else";
    RESTRICT "condition-of-sentence" 3.0 "The sentence speaks of all of a kind, and the formula says `∧` where it should say `→`";
    UNPACK "unpack-argument" 2.0 "A predicate's name holds what other formulas write as an argument";
    UNSAFE "unsafe-fix" 3.0 "The unsafe fix of a rule";
    ALTERNATIVE "other-bracket" 3.0 "A missing or surplus bracket belongs elsewhere";
    NEGATION "negation-of-sentence" 3.0 "The sentence denies and the formula does not, or the other way round";
    EITHER "exclusive-of-sentence" 3.2 "The sentence says “either … or” and the formula has `∨`";
}
