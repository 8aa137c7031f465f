//! Vampire in workers, as a prover like any other.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::client::{Fault, Worker};
use crate::prove::cancel;
use crate::prove::problem::Problem;
use crate::prove::process::{Command, Limits};
use crate::prove::prover::{self, Identity, Prover, Run};
use crate::prove::reason::Reason;
use crate::prove::schedule::Attempt;
use crate::prove::vampire::{self, Vampire};

/// So many workers of one command line in a row may fail before they answer anything; then processes answer its
/// questions. A command line that Vampire refuses gets here.
const MAX_FAILURES: u32 = 3;

/// The bundled Vampire, asked through workers: as many as questions are asked at once, started when they are needed.
#[derive(Debug)]
pub struct WorkerVampire {
    /// For the command line, for reading answers, and for what a worker could not answer.
    vampire: Vampire,
    /// The program that serves, with what stands before its arguments.
    program: Command,
    /// By the worker's arguments.
    pools: Mutex<BTreeMap<Vec<std::ffi::OsString>, Pool>>,
}

#[derive(Debug, Default)]
struct Pool {
    idle: Vec<Worker>,
    /// Workers that failed without having answered, since the last answer.
    failures: u32,
}

impl WorkerVampire {
    /// Workers of the executable that holds this Vampire.
    #[must_use]
    pub fn new(vampire: Vampire) -> Self {
        let program = vampire.identity().path.clone();
        Self::with_program(vampire, Command { program, args: vec![super::COMMAND.into()], env: Vec::new() })
    }

    /// Workers of another program, started with these arguments before those of a worker. It has to serve as this
    /// executable would.
    #[must_use]
    pub fn with_program(vampire: Vampire, program: Command) -> Self {
        Self { vampire, program, pools: Mutex::default() }
    }

    /// The prover that workers stand in for.
    #[must_use]
    pub const fn plain(&self) -> &Vampire {
        &self.vampire
    }

    fn command(&self, attempt: &Attempt, memory_mb: u64, limits: &Limits) -> Command {
        let plain = self.vampire.command(attempt, memory_mb);
        let mut args = self.program.args.clone();
        args.push(limits.address_space.unwrap_or(0).to_string().into());
        args.extend(vampire::arguments(attempt, memory_mb));
        let mut env = plain.env;
        // Symbols are looked up once in the worker, not again in each of its children.
        env.push(("LD_BIND_NOW".into(), "1".into()));
        // Memory that the kernel writes by itself cannot be put back (`src/prove/rewind.cpp`).
        env.push(("GLIBC_TUNABLES".into(), "glibc.pthread.rseq=0".into()));
        env.extend(self.program.env.clone());
        Command { program: self.program.program.clone(), args, env }
    }

    fn with_pool<T>(&self, args: &[std::ffi::OsString], act: impl FnOnce(&mut Pool) -> T) -> T {
        let mut pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pool) = pools.get_mut(args) {
            return act(pool);
        }
        act(pools.entry(args.to_vec()).or_default())
    }

    /// Asks a worker; `None` where workers have shown to be of no use for this command line.
    fn ask(&self, problem: &Problem, attempt: &Attempt, memory_mb: u64) -> Option<Run> {
        let limits = prover::limits(attempt, memory_mb);
        let command = self.command(attempt, memory_mb, &limits);
        let worker = self.with_pool(&command.args, |pool| match pool.idle.pop() {
            Some(worker) => Some(Some(worker)),
            None => (pool.failures < MAX_FAILURES).then_some(None),
        })?;
        let start = Instant::now();
        let text = problem.to_tptp();
        let asked = worker.map_or_else(|| Worker::start(&command), Ok).and_then(|mut worker| {
            let finished = worker.ask(text.as_bytes(), &limits, cancel::flag())?;
            Ok((worker, finished))
        });
        Some(match asked {
            Ok((worker, finished)) => {
                self.with_pool(&command.args, |pool| {
                    pool.failures = 0;
                    pool.idle.push(worker);
                });
                Run { outcome: vampire::read(&finished, problem), wall: finished.wall }
            }
            Err(fault) => {
                if !matches!(fault, Fault::Cancelled) {
                    self.with_pool(&command.args, |pool| pool.failures += 1);
                }
                Run { outcome: Err(fault.into()), wall: start.elapsed() }
            }
        })
    }
}

impl Prover for WorkerVampire {
    fn identity(&self) -> &Identity {
        self.vampire.identity()
    }

    /// The last of [`Prover::runs`], with the time of all.
    fn run(&self, problem: &Problem, attempt: &Attempt, memory_mb: u64) -> Run {
        let mut wall = Duration::ZERO;
        let mut outcome = Err(Reason::NoAttempts);
        for run in self.runs(problem, attempt, memory_mb) {
            wall += run.wall;
            outcome = run.outcome;
        }
        Run { outcome, wall }
    }

    /// Asks a worker. A crash, of the worker or of its child, is answered by a process of its own.
    fn runs(&self, problem: &Problem, attempt: &Attempt, memory_mb: u64) -> Vec<Run> {
        let mut runs: Vec<Run> = self.ask(problem, attempt, memory_mb).into_iter().collect();
        let settled = runs.last().is_some_and(|run| !matches!(&run.outcome, Err(reason) if reason.is_crash_like()));
        if !settled {
            runs.push(self.vampire.run(problem, attempt, memory_mb));
        }
        runs
    }
}

impl From<Fault> for Reason {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Cancelled => Self::Cancelled,
            Fault::Stuck => Self::WorkerStuck,
            Fault::Lost(how) => Self::WorkerLost(how),
            Fault::Frame(_) | Fault::Other { .. } | Fault::OtherText(_) | Fault::Beyond(_) => {
                Self::WorkerGarbled(fault.to_string())
            }
            Fault::Start(_) | Fault::Pipe(_) => Self::WorkerLost(fault.to_string()),
        }
    }
}
