//! Symbols and sentences of the generator: its own words.

use super::formula::{Atom, Formula, Term};
use super::random::Random;

const ADJECTIVES: &[&str] = &[
    "agile", "amber", "ancient", "brittle", "bronze", "calm", "candid", "clever", "crisp", "curious", "dapper",
    "dusty", "eager", "earnest", "fabled", "fearless", "foggy", "frugal", "gentle", "gilded", "glossy", "hasty",
    "hollow", "humble", "icy", "jolly", "keen", "lanky", "limber", "lively", "lofty", "mellow", "modest", "nimble",
    "noble", "opaque", "patient", "placid", "plucky", "polite", "proud", "quaint", "quiet", "rugged", "rustic",
    "sandy", "serene", "silken", "sleek", "sober", "solemn", "spry", "steady", "sturdy", "sunny", "swift", "tidy",
    "timid", "tranquil", "upright", "velvet", "vivid", "wary", "wiry", "witty", "zesty",
];

const NOUNS: &[&str] = &[
    "acrobat",
    "archer",
    "baker",
    "barge",
    "beacon",
    "botanist",
    "boxer",
    "brewer",
    "broker",
    "carpenter",
    "cellist",
    "chemist",
    "clerk",
    "cobbler",
    "compass",
    "courier",
    "dancer",
    "diver",
    "dragonfly",
    "drummer",
    "editor",
    "falcon",
    "farmer",
    "ferry",
    "fiddler",
    "gardener",
    "geologist",
    "glacier",
    "glider",
    "goldsmith",
    "harbour",
    "harvester",
    "herald",
    "hermit",
    "heron",
    "juggler",
    "jurist",
    "kayak",
    "kettle",
    "lantern",
    "librarian",
    "locksmith",
    "lynx",
    "magnet",
    "mariner",
    "mason",
    "meadow",
    "merchant",
    "miller",
    "minstrel",
    "orchard",
    "otter",
    "painter",
    "pilgrim",
    "pilot",
    "plumber",
    "poet",
    "potter",
    "quarry",
    "ranger",
    "sailor",
    "scholar",
    "sculptor",
    "shepherd",
    "smith",
    "surgeon",
    "tailor",
    "tanner",
    "teacher",
    "tinker",
    "tortoise",
    "trader",
    "umpire",
    "usher",
    "violinist",
    "warden",
    "weaver",
    "welder",
    "windmill",
    "wrestler",
];

const ACTS: &[&str] = &[
    "bakes", "barters", "climbs", "commutes", "cooks", "dawdles", "debates", "dives", "drifts", "farms", "fasts",
    "fences", "gardens", "gossips", "hikes", "hums", "jogs", "kneels", "lectures", "lingers", "mumbles", "naps",
    "paddles", "paints", "ponders", "rambles", "rests", "rows", "sails", "sews", "sings", "sketches", "skis",
    "stammers", "strolls", "swims", "teaches", "toils", "votes", "wades", "wanders", "whistles", "yawns", "yodels",
];

const RELATIONS: &[&str] = &[
    "admires",
    "advises",
    "avoids",
    "befriends",
    "calls",
    "cites",
    "coaches",
    "copies",
    "defends",
    "doubts",
    "employs",
    "envies",
    "escorts",
    "fears",
    "follows",
    "greets",
    "guards",
    "guides",
    "helps",
    "hires",
    "ignores",
    "imitates",
    "invites",
    "joins",
    "lives with",
    "misses",
    "mocks",
    "nurses",
    "obeys",
    "outranks",
    "outruns",
    "owns",
    "paints",
    "praises",
    "quotes",
    "recalls",
    "respects",
    "rivals",
    "salutes",
    "scolds",
    "serves",
    "sits near",
    "sponsors",
    "studies",
    "talks to",
    "teases",
    "thanks",
    "trains",
    "trusts",
    "visits",
    "waits for",
    "warns",
    "works for",
    "writes to",
];

/// With the word between the second and the third.
const EXCHANGES: &[(&str, &str)] = &[
    ("borrows", "from"),
    ("brings", "to"),
    ("buys", "from"),
    ("compares", "with"),
    ("confuses", "with"),
    ("hides", "from"),
    ("leads", "to"),
    ("lends", "to"),
    ("offers", "to"),
    ("prefers", "to"),
    ("receives", "from"),
    ("recommends", "to"),
    ("returns", "to"),
    ("sells", "to"),
    ("sends", "to"),
    ("shows", "to"),
    ("swaps", "with"),
    ("takes", "from"),
];

const STARTS: &[&str] = &[
    "ba", "be", "bri", "ca", "co", "da", "de", "dro", "el", "fa", "fe", "ga", "gri", "ha", "he", "i", "ja", "jo", "ka",
    "ke", "la", "le", "lo", "ma", "me", "mo", "na", "ne", "o", "pa", "pe", "qui", "ra", "re", "ro", "sa", "se", "ta",
    "te", "tri", "u", "va", "ve", "wa", "we", "ya", "za", "ze",
];
const MIDDLES: &[&str] =
    &["bi", "da", "do", "la", "li", "lo", "ma", "mi", "na", "ni", "ra", "ri", "ro", "sa", "ti", "vi"];
const ENDS: &[&str] = &[
    "bel", "da", "dric", "ka", "la", "lan", "len", "lia", "mar", "na", "nor", "ra", "ric", "ron", "sha", "thea", "ton",
    "vin",
];

/// How a predicate is said.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Saying {
    /// "is …"
    Is(String),
    /// The verb as it stands with a name, and as with "does not", and what stands before the third term.
    Does(&'static str, Option<&'static str>),
}

/// The symbols of a story.
pub(super) struct Words {
    predicates: Vec<(String, Saying)>,
    names: Vec<String>,
}

impl Words {
    /// Words for predicates of these arities and so many names, no two alike.
    pub(super) fn choose(arities: &[usize], names: usize, random: &mut Random) -> Self {
        let mut words = Self { predicates: Vec::new(), names: Vec::new() };
        while let Some(arity) = arities.get(words.predicates.len()) {
            let saying = saying(*arity, random);
            let symbol = symbol(&saying);
            if words.predicates.iter().all(|(other, _)| *other != symbol) {
                words.predicates.push((symbol, saying));
            }
        }
        while words.names.len() < names {
            let mut part = |parts: &[&str]| random.pick(parts).copied().unwrap_or("a").to_owned();
            let name = part(STARTS) + &part(MIDDLES) + &part(ENDS);
            if !words.names.contains(&name) {
                words.names.push(name);
            }
        }
        words
    }

    fn name(&self, name: usize) -> &str {
        self.names.get(name).map_or("", String::as_str)
    }

    fn term(&self, term: Term) -> String {
        match term {
            Term::Variable(variable) => variable_name(variable).to_owned(),
            Term::Name(name) => self.name(name).to_owned(),
        }
    }

    fn spoken(&self, term: Term) -> String {
        capitalised(&self.term(term))
    }

    /// The formula in FOLIO's notation, with a bracket around everything that is joined.
    pub(super) fn formula(&self, formula: &Formula) -> String {
        let text = self.inner(formula);
        match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
            Some(bare) if !matches!(formula, Formula::Not(_)) => bare.to_owned(),
            _ => text,
        }
    }

    fn inner(&self, formula: &Formula) -> String {
        let joined = |a: &Formula, sign: &str, b: &Formula| format!("({} {sign} {})", self.inner(a), self.inner(b));
        match formula {
            Formula::Atom(Atom { predicate, terms }) => {
                let symbol = self.predicates.get(*predicate).map_or("", |(symbol, _)| symbol.as_str());
                let terms: Vec<String> = terms.iter().map(|term| self.term(*term)).collect();
                format!("{symbol}({})", terms.join(", "))
            }
            Formula::Same(a, b) => format!("({} = {})", self.term(*a), self.term(*b)),
            Formula::Not(a) => format!("¬{}", self.inner(a)),
            Formula::And(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.inner(part)).collect();
                format!("({})", parts.join(" ∧ "))
            }
            Formula::Or(a, b) => joined(a, "∨", b),
            Formula::Xor(a, b) => joined(a, "⊕", b),
            Formula::Implies(a, b) => joined(a, "→", b),
            Formula::Iff(a, b) => joined(a, "↔", b),
            Formula::All(variable, body) => format!("∀{} {}", variable_name(*variable), self.bracketed(body)),
            Formula::Some(variable, body) => format!("∃{} {}", variable_name(*variable), self.bracketed(body)),
        }
    }

    fn bracketed(&self, body: &Formula) -> String {
        match body {
            Formula::Atom(_) | Formula::Not(_) => format!("({})", self.inner(body)),
            _ => self.inner(body),
        }
    }

    /// The formula as a sentence, as plain as it can be told from the formula alone.
    pub(super) fn sentence(&self, formula: &Formula) -> String {
        capitalised(&self.clause(formula)) + "."
    }

    fn clause(&self, formula: &Formula) -> String {
        match formula {
            Formula::Atom(atom) => self.said(atom, true),
            Formula::Same(a, b) => format!("{} is {}", self.spoken(*a), self.spoken(*b)),
            Formula::Not(inner) => match &**inner {
                Formula::Atom(atom) => self.said(atom, false),
                Formula::Same(a, b) => format!("{} is not {}", self.spoken(*a), self.spoken(*b)),
                other => format!("it is not the case that {}", self.clause(other)),
            },
            Formula::And(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.clause(part)).collect();
                parts.join(" and ")
            }
            Formula::Or(a, b) => format!("{} or {}", self.clause(a), self.clause(b)),
            Formula::Xor(a, b) => format!("either {} or {}, but not both", self.clause(a), self.clause(b)),
            Formula::Implies(a, b) => format!("if {}, then {}", self.clause(a), self.clause(b)),
            Formula::Iff(a, b) => format!("{} if and only if {}", self.clause(a), self.clause(b)),
            Formula::All(variable, body) => {
                format!("for every {}, {}", capitalised(variable_name(*variable)), self.clause(body))
            }
            Formula::Some(variable, body) => {
                format!("there is some {} such that {}", capitalised(variable_name(*variable)), self.clause(body))
            }
        }
    }

    fn said(&self, atom: &Atom, holds: bool) -> String {
        let mut terms = atom.terms.iter().map(|term| self.spoken(*term));
        let subject = terms.next().unwrap_or_default();
        let Some((_, saying)) = self.predicates.get(atom.predicate) else { return subject };
        match saying {
            Saying::Is(what) if holds => format!("{subject} is {what}"),
            Saying::Is(what) => format!("{subject} is not {what}"),
            Saying::Does(verb, third) => {
                let (first, rest) = verb.split_once(' ').unwrap_or((verb, ""));
                let verb = if holds { first.to_owned() } else { format!("does not {}", base(first)) };
                let mut out = format!("{subject} {verb}");
                let mut add = |word: &str| {
                    if !word.is_empty() {
                        out.push(' ');
                        out.push_str(word);
                    }
                };
                add(rest);
                add(&terms.next().unwrap_or_default());
                if let Some(third) = third {
                    add(third);
                    add(&terms.next().unwrap_or_default());
                }
                out
            }
        }
    }
}

fn saying(arity: usize, random: &mut Random) -> Saying {
    let adjective = random.pick(ADJECTIVES).copied().unwrap_or("calm");
    let noun = random.pick(NOUNS).copied().unwrap_or("baker");
    match arity {
        1 => match random.below(5) {
            0 => Saying::Is(adjective.to_owned()),
            1 => Saying::Is(with_article(noun)),
            2 | 3 => Saying::Is(with_article(&format!("{adjective} {noun}"))),
            _ => Saying::Does(random.pick(ACTS).copied().unwrap_or("sings"), None),
        },
        2 => Saying::Does(random.pick(RELATIONS).copied().unwrap_or("admires"), None),
        _ => {
            let (verb, third) = random.pick(EXCHANGES).copied().unwrap_or(("lends", "to"));
            Saying::Does(verb, Some(third))
        }
    }
}

fn symbol(saying: &Saying) -> String {
    let words = |text: &str| text.split(' ').map(capitalised).collect::<String>();
    match saying {
        Saying::Is(what) => words(what.strip_prefix("a ").or_else(|| what.strip_prefix("an ")).unwrap_or(what)),
        Saying::Does(verb, third) => words(verb) + &third.map(capitalised).unwrap_or_default(),
    }
}

fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// "teaches" → "teach", "envies" → "envy", "bakes" → "bake".
fn base(verb: &str) -> String {
    if let Some(stem) = verb.strip_suffix("ies") {
        return format!("{stem}y");
    }
    let hissing = ["ches", "shes", "sses", "xes"].iter().any(|ending| verb.ends_with(ending));
    verb.strip_suffix(if hissing { "es" } else { "s" }).unwrap_or(verb).to_owned()
}

fn variable_name(variable: usize) -> &'static str {
    ["x", "y", "z"].get(variable).copied().unwrap_or("w")
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
