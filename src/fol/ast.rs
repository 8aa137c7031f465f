//! The syntax tree of first-order logic with equality, as datasets write it.
//!
//! Spans point into the text a tree was read from. They take no part in comparison: two trees are equal when they are
//! the same formula, wherever they stood.

use crate::diagnostic::Span;

/// The height no tree exceeds: brackets, negations and unbracketed chains all add to it. The parser refuses deeper
/// input with a diagnostic, so every recursion over a tree is safe on a default thread stack.
pub const MAX_HEIGHT: usize = 400;

/// A formula and where it stood.
#[derive(Debug, Clone, Eq)]
pub struct Formula {
    /// What it is.
    pub kind: FormulaKind,
    /// Where it stood, brackets around it not included.
    pub span: Span,
    /// Whether brackets stood directly around it. Takes no part in comparison.
    pub bracketed: bool,
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// The forms a formula can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormulaKind {
    /// `⊤` or `⊥`.
    Constant(bool),
    /// A predicate applied to terms; without arguments, a proposition.
    Atom(Atom),
    /// `s = t`.
    Equal(Term, Term),
    /// `s ≠ t`.
    NotEqual(Term, Term),
    /// `¬A`.
    Not(Box<Formula>),
    /// `A ∘ B`.
    Binary(Connective, Box<Formula>, Box<Formula>),
    /// `∀x A` or `∃x A`; at least one variable (`∀x ∀y A` is two quantifiers, `∀x,y A` is one).
    Quantified(Quantifier, Vec<Variable>, Box<Formula>),
}

/// A predicate applied to terms.
#[derive(Debug, Clone, Eq)]
pub struct Atom {
    /// The predicate's name as the author wrote it.
    pub name: String,
    /// Where the name stood.
    pub name_span: Span,
    /// Its arguments.
    pub args: Vec<Term>,
}

impl PartialEq for Atom {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.args == other.args
    }
}

/// A term and where it stood.
#[derive(Debug, Clone, Eq)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where it stood.
    pub span: Span,
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// The forms a term can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TermKind {
    /// A variable bound by a quantifier around it.
    Bound(String),
    /// A name that reads as a variable but that no quantifier around it binds: see [`crate::fol::scope`].
    Free(String),
    /// An individual.
    Constant(String),
    /// A function applied to at least one term.
    Function(String, Vec<Term>),
}

/// A variable where a quantifier introduces it.
#[derive(Debug, Clone, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it stood.
    pub span: Span,
}

impl PartialEq for Variable {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The binary connectives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Connective {
    /// `∧`
    And,
    /// `∨`
    Or,
    /// `⊕`, exclusive or: parity where chained.
    Xor,
    /// `→`
    Implies,
    /// `↔`
    Iff,
}

impl Connective {
    /// FOLIO's sign.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::And => "∧",
            Self::Or => "∨",
            Self::Xor => "⊕",
            Self::Implies => "→",
            Self::Iff => "↔",
        }
    }

    /// How tightly it binds: higher binds tighter; `∨` and `⊕` share a level.
    #[must_use]
    pub const fn level(self) -> u8 {
        match self {
            Self::And => 4,
            Self::Or | Self::Xor => 3,
            Self::Implies => 2,
            Self::Iff => 1,
        }
    }

    /// Whether `A ∘ B ∘ C` reads `A ∘ (B ∘ C)`.
    #[must_use]
    pub const fn is_right_associative(self) -> bool {
        matches!(self, Self::Implies)
    }
}

/// The quantifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// `∀`
    ForAll,
    /// `∃`
    Exists,
}

impl Quantifier {
    /// FOLIO's sign.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::ForAll => "∀",
            Self::Exists => "∃",
        }
    }
}

/// What a symbol is used as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    /// A predicate (a proposition at arity 0).
    Predicate,
    /// A function of at least one argument.
    Function,
    /// An individual.
    Constant,
    /// A free variable.
    Free,
}

/// A use of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymbolUse<'a> {
    /// What it is used as.
    pub kind: SymbolKind,
    /// Its name.
    pub name: &'a str,
    /// How many arguments it has here.
    pub arity: usize,
    /// Where the name stands.
    pub span: Span,
}

impl Formula {
    /// A formula of this form at this place, without brackets.
    #[must_use]
    pub const fn new(kind: FormulaKind, span: Span) -> Self {
        Self { kind, span, bracketed: false }
    }

    /// The direct parts that are formulas, from left to right.
    pub fn children(&self) -> impl Iterator<Item = &Self> {
        let (a, b): (Option<&Self>, Option<&Self>) = match &self.kind {
            FormulaKind::Not(a) | FormulaKind::Quantified(_, _, a) => (Some(a), None),
            FormulaKind::Binary(_, a, b) => (Some(a), Some(b)),
            FormulaKind::Constant(_) | FormulaKind::Atom(_) | FormulaKind::Equal(..) | FormulaKind::NotEqual(..) => {
                (None, None)
            }
        };
        a.into_iter().chain(b)
    }

    /// The terms that stand directly in this formula (arguments of an atom, sides of an equation).
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        let (args, sides): (&[Term], Option<[&Term; 2]>) = match &self.kind {
            FormulaKind::Atom(atom) => (&atom.args, None),
            FormulaKind::Equal(a, b) | FormulaKind::NotEqual(a, b) => (&[], Some([a, b])),
            _ => (&[], None),
        };
        args.iter().chain(sides.into_iter().flatten())
    }

    /// Calls `f` on this formula and everything in it, each before its parts, from left to right.
    pub fn walk<'a>(&'a self, f: &mut impl FnMut(&'a Self)) {
        f(self);
        for child in self.children() {
            child.walk(f);
        }
    }

    /// Every use of a predicate, function, constant or free variable, from left to right.
    #[must_use]
    pub fn symbols(&self) -> Vec<SymbolUse<'_>> {
        let mut out = Vec::new();
        self.each_symbol(&mut |symbol| out.push(symbol));
        out
    }

    /// Calls `f` on what [`Formula::symbols`] lists, in its order.
    pub fn each_symbol<'a>(&'a self, f: &mut impl FnMut(SymbolUse<'a>)) {
        self.walk(&mut |formula| {
            if let FormulaKind::Atom(atom) = &formula.kind {
                f(SymbolUse {
                    kind: SymbolKind::Predicate,
                    name: &atom.name,
                    arity: atom.args.len(),
                    span: atom.name_span,
                });
            }
            for term in formula.terms() {
                term.each_symbol(f);
            }
        });
    }

    /// The operands of an unbracketed chain of one connective: `A ∧ B ∧ C` gives three, anything else gives itself.
    #[must_use]
    pub fn operands(&self, connective: Connective) -> Vec<&Self> {
        let mut out = Vec::new();
        self.operands_into(connective, true, &mut out);
        out
    }

    fn operands_into<'a>(&'a self, connective: Connective, top: bool, out: &mut Vec<&'a Self>) {
        match &self.kind {
            FormulaKind::Binary(c, a, b) if *c == connective && (top || !self.bracketed) => {
                a.operands_into(connective, false, out);
                b.operands_into(connective, false, out);
            }
            _ => out.push(self),
        }
    }
}

impl Term {
    /// Calls `f` on every use of a function, constant or free variable, from left to right.
    pub fn each_symbol<'a>(&'a self, f: &mut impl FnMut(SymbolUse<'a>)) {
        let (kind, name, arity): (SymbolKind, &str, usize) = match &self.kind {
            TermKind::Bound(_) => return,
            TermKind::Free(name) => (SymbolKind::Free, name, 0),
            TermKind::Constant(name) => (SymbolKind::Constant, name, 0),
            TermKind::Function(name, args) => (SymbolKind::Function, name, args.len()),
        };
        // The span of a function term starts with its name.
        let span = Span::new(self.span.start, (self.span.start + name.len()).min(self.span.end));
        f(SymbolUse { kind, name, arity, span });
        if let TermKind::Function(_, args) = &self.kind {
            for arg in args {
                arg.each_symbol(f);
            }
        }
    }

    /// Calls `f` on this term and everything in it.
    pub fn walk<'a>(&'a self, f: &mut impl FnMut(&'a Self)) {
        f(self);
        if let TermKind::Function(_, args) = &self.kind {
            for arg in args {
                arg.walk(f);
            }
        }
    }
}
