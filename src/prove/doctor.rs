//! Whether the pipeline can run here: provers that answer what is known, room on the disk, cores.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::discover::{self, Choice, Mode, Sources};
use super::eprover::EProver;
use super::problem::{Problem, Role, Statement};
use super::process::{self, Command, Limits};
use super::prover::{Identity, Origin, Prover};
use super::reason::Reason;
use super::schedule::{Attempt, Outcome, Schedule, ask};
use super::szs::Szs;
use super::vampire::Vampire;

/// Seconds that a prover has for a known-answer problem; it needs milliseconds.
const TIME_LIMIT: f64 = 5.0;
const MEMORY_MB: u64 = 1024;
/// Less free room than this and a run would end in a full disk: 16 MiB.
const LEAST_FREE_BYTES: u64 = 16 * 1024 * 1024;

/// What a prover is to the pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Use {
    /// It answers the pipeline's questions.
    Chosen,
    /// Found, and left alone.
    Unused,
    /// For comparison: it is asked in tests, never by the pipeline.
    SecondOpinion,
}

impl Use {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::Unused => "unused",
            Self::SecondOpinion => "second opinion",
        }
    }
}

/// A known-answer problem and what the prover made of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// What is known.
    pub expected: &'static str,
    /// What the prover said, or why it said nothing.
    pub outcome: String,
    /// Whether that is right: the answer, and the premises of its proof.
    pub ok: bool,
    /// Wall-clock time in milliseconds.
    pub milliseconds: f64,
}

/// A prover that was found, or should have been.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProverReport {
    /// Such as `vampire`.
    pub name: &'static str,
    /// What it is to the pipeline.
    pub usage: Use,
    /// Where it comes from, if there is one.
    pub origin: Option<Origin>,
    /// The executable, if there is one.
    pub path: Option<PathBuf>,
    /// What it says of its version.
    pub version: Option<String>,
    /// The executable's hash.
    pub sha256: Option<String>,
    /// How it is run.
    pub mode: Option<Mode>,
    /// The four known-answer problems; empty if it could not be asked.
    pub checks: Vec<Check>,
    /// Why it cannot be used.
    pub error: Option<String>,
    /// What to do about that.
    pub hint: Option<&'static str>,
}

impl ProverReport {
    fn new(name: &'static str, usage: Use) -> Self {
        Self {
            name,
            usage,
            origin: None,
            path: None,
            version: None,
            sha256: None,
            mode: None,
            checks: Vec::new(),
            error: None,
            hint: None,
        }
    }

    fn found(name: &'static str, usage: Use, origin: Origin, path: PathBuf) -> Self {
        Self { origin: Some(origin), path: Some(path), ..Self::new(name, usage) }
    }

    fn identified(mut self, identity: &Identity) -> Self {
        self.path = Some(identity.path.clone());
        self.version = Some(identity.version.clone());
        self.sha256 = Some(identity.sha256.clone());
        self
    }

    fn asked(self, prover: &dyn Prover, schedule: &Schedule) -> Self {
        let checks = KNOWN.iter().map(|known| known.ask(prover, schedule)).collect();
        Self { checks, ..self.identified(prover.identity()) }
    }

    fn failed(self, error: &dyn fmt::Display) -> Self {
        Self { error: Some(error.to_string()), ..self }
    }

    /// Whether it answered all that is known.
    #[must_use]
    pub fn ok(&self) -> bool {
        self.error.is_none() && !self.checks.is_empty() && self.checks.iter().all(|c| c.ok)
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The chosen Vampire first.
    pub provers: Vec<ProverReport>,
    /// The folder whose disk was looked at.
    pub folder: PathBuf,
    /// Bytes that may be written there; absent if that cannot be told.
    pub free_bytes: Option<u64>,
    /// Processor cores that may be used; absent if that cannot be told.
    pub cores: Option<usize>,
}

impl Report {
    /// Whether the pipeline can run: the chosen prover answers what is known, and there is room for its results.
    #[must_use]
    pub fn ok(&self) -> bool {
        let mut chosen = self.provers.iter().filter(|p| p.usage == Use::Chosen).peekable();
        chosen.peek().is_some()
            && chosen.all(ProverReport::ok)
            && self.free_bytes.is_some_and(|b| b >= LEAST_FREE_BYTES)
    }
}

/// Looks for provers, asks each the four known-answer problems (the chosen one by the schedule that is to be used), and
/// looks at the disk of the nearest existing folder at or above `folder`.
#[must_use]
pub fn examine(sources: &Sources, mode: Mode, schedule: &Schedule, folder: &Path) -> Report {
    let choice = discover::choose(sources);
    let mut provers = vec![chosen(sources, mode, schedule)];
    let path = sources.path.as_deref();
    let is_chosen = |p: &Path| matches!(&choice, Ok(Choice { path, .. }) if same_file(path, p));
    for path in discover::which_all("vampire", path).into_iter().filter(|p| !is_chosen(p)) {
        let report = ProverReport::found("vampire", Use::Unused, Origin::System, path.clone());
        provers.push(match Vampire::standalone(&path, Origin::System) {
            Ok(vampire) => report.asked(&vampire, &short(&[])),
            Err(e) => report.failed(&e),
        });
    }
    provers.extend(eprover(path));
    provers.extend(z3(path));
    let folder = folder.ancestors().find(|f| f.exists()).unwrap_or(Path::new(".")).to_owned();
    let free_bytes = rustix::fs::statvfs(&folder).ok().map(|s| s.f_bavail.saturating_mul(s.f_frsize));
    let cores = std::thread::available_parallelism().ok().map(Into::into);
    Report { provers, folder, free_bytes, cores }
}

fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn chosen(sources: &Sources, mode: Mode, schedule: &Schedule) -> ProverReport {
    match discover::discover_in(sources, mode) {
        Ok(vampire) => {
            let origin = vampire.identity().origin;
            let report = ProverReport::new("vampire", Use::Chosen);
            let (origin, mode) = (Some(origin), Some(mode.for_origin(origin)));
            ProverReport { origin, mode, ..report }.asked(&*vampire, schedule)
        }
        Err(e) => ProverReport { hint: Some(e.hint()), ..ProverReport::new("vampire", Use::Chosen).failed(&e) },
    }
}

fn eprover(path: Option<&OsStr>) -> Option<ProverReport> {
    let path = discover::which("eprover", path)?;
    let report = ProverReport::found("eprover", Use::SecondOpinion, Origin::System, path.clone());
    Some(match EProver::new(&path, Origin::System) {
        Ok(prover) => report.asked(&prover, &short(&["--auto"])),
        Err(e) => report.failed(&e),
    })
}

fn z3(path: Option<&OsStr>) -> Option<ProverReport> {
    let path = discover::which("z3", path)?;
    let report = ProverReport::found("z3", Use::SecondOpinion, Origin::System, path.clone());
    Some(match Identity::establish("z3", Origin::System, &path, &["--version"]) {
        Ok(identity) => {
            let checks = KNOWN.iter().map(|known| known.ask_z3(&path)).collect();
            ProverReport { checks, ..report.identified(&identity) }
        }
        Err(e) => report.failed(&e),
    })
}

/// One short attempt, for provers that the pipeline does not use.
fn short(options: &[&str]) -> Schedule {
    let attempt = Attempt {
        name: "check".to_owned(),
        options: options.iter().map(|&o| o.to_owned()).collect(),
        time_limit: TIME_LIMIT,
    };
    Schedule { attempts: vec![attempt], memory_mb: MEMORY_MB, retries_after_crash: 0 }
}

/// A problem whose answer is known.
struct Known {
    status: Szs,
    axioms: &'static [&'static str],
    conjecture: Option<&'static str>,
    /// Indices of the axioms that any proof has to use.
    used: &'static [usize],
    /// The same for Z3, the conjecture negated.
    smt: &'static str,
    /// What Z3 has to say.
    smt_answer: &'static str,
}

const KNOWN: [Known; 4] = [
    Known {
        status: Szs::Theorem,
        axioms: &["! [X] : (bird(X) => winged(X))", "fish(nemo)", "bird(tweety)"],
        conjecture: Some("winged(tweety)"),
        used: &[0, 2],
        smt: "(declare-sort U 0)(declare-fun bird (U) Bool)(declare-fun winged (U) Bool)(declare-fun t () U)\
              (assert (forall ((x U)) (=> (bird x) (winged x))))(assert (bird t))(assert (not (winged t)))",
        smt_answer: "unsat",
    },
    Known {
        status: Szs::CounterSatisfiable,
        axioms: &["! [X] : (bird(X) => winged(X))", "winged(tweety)"],
        conjecture: Some("bird(tweety)"),
        used: &[],
        smt: "(declare-sort U 0)(declare-fun bird (U) Bool)(declare-fun winged (U) Bool)(declare-fun t () U)\
              (assert (forall ((x U)) (=> (bird x) (winged x))))(assert (winged t))(assert (not (bird t)))",
        smt_answer: "sat",
    },
    Known {
        status: Szs::Unsatisfiable,
        axioms: &["bird(tweety)", "tweety = tux", "~ bird(tux)"],
        conjecture: None,
        used: &[0, 1, 2],
        smt: "(declare-sort U 0)(declare-fun bird (U) Bool)(declare-fun t () U)(declare-fun u () U)\
              (assert (bird t))(assert (= t u))(assert (not (bird u)))",
        smt_answer: "unsat",
    },
    Known {
        status: Szs::Satisfiable,
        axioms: &["? [X] : bird(X)", "? [X] : ~ bird(X)"],
        conjecture: None,
        used: &[],
        smt: "(declare-sort U 0)(declare-fun bird (U) Bool)\
              (assert (exists ((x U)) (bird x)))(assert (exists ((x U)) (not (bird x))))",
        smt_answer: "sat",
    },
];

impl Known {
    fn problem(&self) -> Problem {
        let statement = |name: String, role, formula: &str| Statement {
            name,
            role,
            formula: formula.to_owned(),
            comments: Vec::new(),
        };
        let axioms = self.axioms.iter().enumerate().map(|(i, f)| statement(axiom_name(i), Role::Axiom, f));
        let conjecture = self.conjecture.map(|f| statement("conclusion".to_owned(), Role::Conjecture, f));
        Problem { statements: axioms.chain(conjecture).collect(), ..Problem::default() }
    }

    fn ask(&self, prover: &dyn Prover, schedule: &Schedule) -> Check {
        let answer = ask(prover, &self.problem(), schedule);
        let (outcome, ok) = match answer.outcome {
            Outcome::Decided { status, used, .. } => {
                let right = status == self.status
                    && used.as_deref().unwrap_or_default()
                        == self.used.iter().copied().map(axiom_name).collect::<Vec<_>>();
                let text = match used {
                    _ if right => status.to_string(),
                    Some(used) => format!("{status} from {used:?}"),
                    None => format!("{status} without a proof"),
                };
                (text, right)
            }
            Outcome::Undecided { reason } => (reason.to_string(), false),
        };
        let wall = answer.runs.iter().map(|r| r.wall).sum();
        Check { expected: self.status.as_str(), outcome, ok, milliseconds: milliseconds(wall) }
    }

    fn ask_z3(&self, path: &Path) -> Check {
        let command = Command { program: path.to_owned(), args: vec!["-in".into()], env: Vec::new() };
        let limits = Limits {
            wall: Duration::from_secs_f64(TIME_LIMIT),
            grace: Duration::from_millis(250),
            output_bytes: 64 * 1024,
            address_space: None,
        };
        let script = format!("{}(check-sat)\n", self.smt);
        let (outcome, wall) = match process::run(&command, script.as_bytes(), &limits) {
            Ok(finished) => {
                let said = Reason::of_end(&finished)
                    .map_or_else(|r| r.to_string(), |_| String::from_utf8_lossy(&finished.stdout).trim().to_owned());
                (said, finished.wall)
            }
            Err(e) => (e.to_string(), Duration::ZERO),
        };
        let ok = outcome == self.smt_answer;
        Check { expected: self.smt_answer, outcome, ok, milliseconds: milliseconds(wall) }
    }
}

fn axiom_name(index: usize) -> String {
    format!("premise_{index}")
}

fn milliseconds(wall: Duration) -> f64 {
    (wall.as_secs_f64() * 10_000.0).round() / 10.0
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for prover in &self.provers {
            write!(f, "{prover}")?;
        }
        match self.free_bytes {
            // Tenths of a gibibyte are exact enough to show.
            #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
            Some(bytes) => {
                let note = if bytes < LEAST_FREE_BYTES { " (too little)" } else { "" };
                writeln!(
                    f,
                    "disk: {:.1} GiB free at {}{note}",
                    bytes as f64 / f64::from(1 << 30),
                    self.folder.display()
                )?;
            }
            None => writeln!(f, "disk: free room at {} cannot be told", self.folder.display())?,
        }
        match self.cores {
            Some(cores) => writeln!(f, "cores: {cores}"),
            None => writeln!(f, "cores: cannot be told"),
        }
    }
}

impl fmt::Display for ProverReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = self.origin.map_or(String::new(), |o| format!(", {}", o.as_str()));
        let version = self.version.as_deref().unwrap_or("not usable");
        writeln!(f, "{} ({}{origin}): {version}", self.name, self.usage.as_str())?;
        if let Some(path) = &self.path {
            writeln!(f, "  path: {}", path.display())?;
        }
        if let Some(mode) = self.mode {
            writeln!(f, "  asked through: {}", mode.as_str())?;
        }
        if let Some(sha256) = &self.sha256 {
            writeln!(f, "  sha256: {sha256}")?;
        }
        for check in &self.checks {
            let mark = if check.ok { "ok" } else { "WRONG" };
            write!(f, "  {:<18} {mark:<5} {:>7.1} ms", check.expected, check.milliseconds)?;
            if check.ok { writeln!(f)? } else { writeln!(f, "  got: {}", check.outcome)? }
        }
        if let Some(error) = &self.error {
            writeln!(f, "  error: {error}")?;
        }
        if let Some(hint) = self.hint {
            writeln!(f, "  hint: {hint}")?;
        }
        Ok(())
    }
}
