//! The caller's side of one worker.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

use super::frame::{self, FrameError, Question, Reply};
use crate::prove::process::{Command, Finished, Limits, ProcessError};

/// How long a worker may take beyond the limit it enforces on its child before it is taken to be stuck.
const SLACK: Duration = Duration::from_millis(500);
/// The longest time between two looks at the cancel flag.
const TICK: Duration = Duration::from_millis(25);
const CHUNK: usize = 64 * 1024;

/// Why a worker gave no answer. Whichever it is, the worker is of no further use.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It cannot be started.
    #[error(transparent)]
    Start(#[from] ProcessError),
    /// It has ended.
    #[error("the worker ended: {0}")]
    Lost(String),
    /// It did not answer in time.
    #[error("the worker did not answer in time")]
    Stuck,
    /// What it sent is no intact frame.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// It answered another question.
    #[error("the worker answered question {got} instead of {expected}")]
    Other {
        /// The question's number.
        expected: u64,
        /// The reply's.
        got: u64,
    },
    /// It answered a question of this number, but with another text.
    #[error("the worker answered another text under number {0}")]
    OtherText(u64),
    /// It sent more than a reply.
    #[error("the worker sent {0} bytes beyond its reply")]
    Beyond(usize),
    /// The cancel flag was set.
    #[error("cancelled")]
    Cancelled,
    /// The system failed.
    #[error("cannot talk to the worker: {0}")]
    Pipe(io::Error),
}

/// A running worker. Dropping it kills its process group and reaps it.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    pid: Pid,
    questions: ChildStdin,
    replies: ChildStdout,
    next: u64,
}

impl Worker {
    /// Starts a program that serves questions on its stdin and stdout.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(command: &Command) -> Result<Self, Fault> {
        let start = |source| ProcessError::Start { program: command.program.clone(), source };
        let mut program = std::process::Command::new(&command.program);
        program
            .args(&command.args)
            .envs(command.env.iter().map(|(k, v)| (k, v)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0);
        let mut child = spawn(program).map_err(|source| match source.kind() {
            ErrorKind::NotFound => ProcessError::NotFound(command.program.clone()),
            _ => start(source),
        })?;
        let pid = Pid::from_child(&child);
        let (Some(questions), Some(replies)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(start(io::Error::from(ErrorKind::BrokenPipe)).into());
        };
        let worker = Self { child, pid, questions, replies, next: 1 };
        rustix::io::ioctl_fionbio(&worker.questions, true).map_err(|e| Fault::Pipe(e.into()))?;
        rustix::io::ioctl_fionbio(&worker.replies, true).map_err(|e| Fault::Pipe(e.into()))?;
        Ok(worker)
    }

    /// Asks, and waits for the reply to exactly this question. A worker that gave none must not be asked again.
    ///
    /// # Errors
    /// If no such reply comes within the limits.
    pub fn ask(&mut self, problem: &[u8], limits: &Limits, cancelled: &AtomicBool) -> Result<Finished, Fault> {
        let start = Instant::now();
        let id = self.next;
        self.next += 1;
        let output_bytes = limits.output_bytes as u64;
        let (question, digest) = Question { id, wall: limits.wall, output_bytes, problem: problem.to_vec() }.encode();
        let deadline = start.checked_add(limits.wall.saturating_add(SLACK));
        let frame = self.exchange(&question, deadline, cancelled)?;
        let reply = Reply::decode(&frame)?;
        if reply.id != id {
            return Err(Fault::Other { expected: id, got: reply.id });
        }
        if reply.question != digest {
            return Err(Fault::OtherText(id));
        }
        Ok(Finished { wall: start.elapsed(), ..reply.finished })
    }

    /// Writes the question and reads one frame.
    fn exchange(
        &mut self,
        mut question: &[u8],
        deadline: Option<Instant>,
        cancelled: &AtomicBool,
    ) -> Result<Vec<u8>, Fault> {
        let mut frame = Vec::new();
        loop {
            if cancelled.load(Ordering::Relaxed) {
                return Err(Fault::Cancelled);
            }
            while !question.is_empty() {
                match self.questions.write(question) {
                    Ok(n) => question = question.get(n..).unwrap_or_default(),
                    Err(e) if e.kind() == ErrorKind::WouldBlock => break,
                    Err(e) if e.kind() == ErrorKind::Interrupted => {}
                    Err(e) if e.kind() == ErrorKind::BrokenPipe => return Err(self.lost()),
                    Err(e) => return Err(Fault::Pipe(e)),
                }
            }
            let now = Instant::now();
            if deadline.is_some_and(|d| now >= d) {
                return Err(Fault::Stuck);
            }
            self.wait(!question.is_empty(), deadline.map_or(TICK, |d| d.duration_since(now).min(TICK)))?;
            let closed = self.read(&mut frame)?;
            if let Some(length) = frame::length(&frame)? {
                match frame.len().checked_sub(length) {
                    Some(0) => return Ok(frame),
                    Some(more) => return Err(Fault::Beyond(more)),
                    None => {}
                }
            }
            if closed {
                return Err(self.lost());
            }
        }
    }

    fn wait(&self, writes: bool, time: Duration) -> Result<(), Fault> {
        let timeout = Timespec { tv_sec: 0, tv_nsec: time.min(TICK).subsec_nanos().into() };
        let reads = PollFd::new(&self.replies, PollFlags::IN);
        let done = if writes {
            poll(&mut [reads, PollFd::new(&self.questions, PollFlags::OUT)], Some(&timeout))
        } else {
            poll(&mut [reads], Some(&timeout))
        };
        match done {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(e) => Err(Fault::Pipe(e.into())),
        }
    }

    /// Takes what is there now; whether the worker has closed its end.
    fn read(&mut self, into: &mut Vec<u8>) -> Result<bool, Fault> {
        match self.replies.by_ref().take(CHUNK as u64).read_to_end(into) {
            Ok(n) => Ok(n < CHUNK),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(false),
            Err(e) => Err(Fault::Pipe(e)),
        }
    }

    /// How a worker that has closed its end came to that.
    fn lost(&mut self) -> Fault {
        self.kill();
        Fault::Lost(self.child.wait().map_or_else(|e| e.to_string(), |status| status.to_string()))
    }

    /// Kills the group; its child's group dies with it on Linux, and by its own limit elsewhere.
    fn kill(&mut self) {
        // Already reaped, it has no number any more.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = kill_process_group(self.pid, Signal::KILL);
        }
    }
}

/// Starts a program from a thread that lives as long as this process does.
///
/// A worker is killed when its parent dies, and for Linux that parent is the thread that started it: one that ends before
/// the others would take with it workers that these still use.
fn spawn(program: std::process::Command) -> io::Result<Child> {
    type Order = (std::process::Command, mpsc::Sender<io::Result<Child>>);
    static STARTER: Mutex<Option<mpsc::Sender<Order>>> = Mutex::new(None);

    let gone = || io::Error::from(ErrorKind::BrokenPipe);
    let (answer, started) = mpsc::channel();
    let mut starter = STARTER.lock().unwrap_or_else(PoisonError::into_inner);
    let orders = match &mut *starter {
        Some(orders) => orders,
        none => {
            let (orders, received) = mpsc::channel::<Order>();
            let serve = move || {
                for (mut program, answer) in received {
                    // Whoever ordered it waits for it.
                    let _ = answer.send(program.spawn());
                }
            };
            thread::Builder::new().name("starter".to_owned()).spawn(serve)?;
            none.insert(orders)
        }
    };
    let ordered = orders.send((program, answer));
    drop(starter);
    ordered.map_err(|_| gone())?;
    started.recv().unwrap_or_else(|_| Err(gone()))
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}
