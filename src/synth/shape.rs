//! What formulas look like, how often, and how many of what a story has.
//!
//! All figures were measured on FOLIO v2: the validation split and 584 rows of the train split, 787 rows and 271 stories
//! together, whose premises have 1341 formulas. No formula, symbol or sentence of FOLIO is here, only how often what occurs.

/// How often formulas have this form. Rare forms are left out or counted with the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// Quantifiers: `∀`, `∃`, and `≠` for two individuals that differ. In a rule, `∃` binds what follows.
    pub(super) prefix: &'static str,
    /// `l` an atom, `n` one with `¬`, `o` two with `∨`, `x` two with `⊕`, `y` that with `¬`, `z` an atom `⊕` one with `¬`;
    /// what stands together is joined by `∧`. `>` is `→`, `<` is `↔`.
    pub(super) matrix: &'static str,
    /// How many of the formulas measured.
    pub(super) count: usize,
}

const fn shape(prefix: &'static str, matrix: &'static str, count: usize) -> Shape {
    Shape { prefix, matrix, count }
}

/// Of premises.
pub(super) const PREMISES: &[Shape] = &[
    shape("∀", "l>l", 218),
    shape("∀", "ll>l", 150),
    shape("∀", "l>ll", 55),
    shape("", "l", 194),
    shape("", "ll", 120),
    shape("", "lll", 34),
    shape("∀", "l>n", 64),
    shape("∀", "ll>n", 51),
    shape("∃", "ll", 43),
    shape("∀∀", "ll>l", 37),
    shape("∀∀", "ll>n", 11),
    shape("∃∃≠", "llll", 27),
    shape("∃∃", "ll", 7),
    shape("∀", "l>x", 27),
    shape("", "ln", 24),
    shape("∀∃", "l>ll", 27),
    shape("∀∃∃≠", "l>ll", 17),
    shape("∀", "l>o", 17),
    shape("", "n", 17),
    shape("", "x", 8),
    shape("", "y", 15),
    shape("∀", "ll>x", 13),
    shape("", "lx", 8),
    shape("", "lz", 11),
    shape("", "lo", 9),
    shape("∃", "ln", 9),
    shape("", "l>l", 9),
    shape("", "l>n", 7),
    shape("", "ll>l", 6),
    shape("", "o", 10),
    shape("∀", "x", 5),
    shape("∀", "lo>l", 5),
    shape("∀", "l<l", 4),
];

/// Of conclusions.
pub(super) const CONCLUSIONS: &[Shape] = &[
    shape("", "l", 261),
    shape("", "ll", 60),
    shape("", "lll", 19),
    shape("∃", "ll", 60),
    shape("∃", "lll", 16),
    shape("", "n", 57),
    shape("", "ln", 37),
    shape("", "x", 32),
    shape("∃∃≠", "llll", 21),
    shape("", "o", 18),
    shape("∀", "l>l", 24),
    shape("∀", "l>n", 26),
    shape("∃", "ln", 11),
    shape("", "n>ln", 11),
    shape("∃∃", "lll", 10),
    shape("", "l>n", 9),
    shape("", "o>ln", 9),
    shape("", "x>n", 15),
    shape("", "on", 12),
    shape("", "o>x", 6),
    shape("", "y", 9),
    shape("", "z", 5),
];

/// Premises of a story.
pub(super) const PREMISES_OF_STORY: &[(usize, usize)] =
    &[(2, 37), (3, 16), (4, 42), (5, 73), (6, 59), (7, 27), (8, 12), (9, 3), (10, 2)];

/// Records of a story.
pub(super) const RECORDS_OF_STORY: &[(usize, usize)] =
    &[(1, 40), (2, 34), (3, 149), (4, 28), (5, 12), (6, 4), (8, 1), (9, 2), (10, 1)];

/// Predicates of a story's premises; a story has 2 at least here, because something has to follow from something.
pub(super) const PREDICATES: &[(usize, usize)] = &[
    (2, 12),
    (3, 37),
    (4, 22),
    (5, 51),
    (6, 43),
    (7, 33),
    (8, 34),
    (9, 13),
    (10, 14),
    (11, 4),
    (12, 4),
    (13, 2),
    (14, 1),
    (20, 1),
];

/// Names in a story's premises; 1 at least here, and at most 6, because worlds are looked through for every formula.
pub(super) const NAMES: &[(usize, usize)] = &[(1, 59), (2, 37), (3, 36), (4, 36), (5, 28), (6, 75)];

/// Arities of atoms.
pub(super) const ARITIES: &[(usize, usize)] = &[(1, 1966), (2, 1442), (3, 111)];

/// True, False, Uncertain among the labels.
pub(super) const LABELS: [usize; 3] = [307, 231, 249];

/// Stories of a thousand whose premises contradict each other: about as many as FOLIO's.
pub(super) const INCONSISTENT_OF_THOUSAND: usize = 9;
