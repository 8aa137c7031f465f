//! Running one program under limits: text in, bytes out, and nothing of it left behind.
//!
//! The program runs in a process group of its own. Whatever way the run ends, the whole group is killed and the
//! program is reaped before the function returns. A descendant that leaves the group (`setsid`) is out of reach.
//! Linux and macOS; any number of threads may call at once.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::cancel;

/// The longest time between two looks at the clock, the cancel flag and the program's state.
const TICK: Duration = Duration::from_millis(25);
/// How much is read at a time.
const CHUNK: usize = 64 * 1024;

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The executable's path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Environment variables set for it beside those inherited.
    pub env: Vec<(OsString, OsString)>,
}

/// What a run may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time from start to end.
    pub wall: Duration,
    /// How long the program may take to stop after SIGTERM; SIGKILL follows.
    pub grace: Duration,
    /// Bytes that each of stdout and stderr may bring.
    pub output_bytes: usize,
    /// Bytes of address space for each process (Linux only; elsewhere the program's own limit is the only one).
    /// Address space is more than memory in use: thread stacks and allocator arenas count in full.
    pub address_space: Option<u64>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The program exited with this code.
    Exited(i32),
    /// A signal that was not ours ended the program.
    Signalled(i32),
    /// The wall-clock limit was reached.
    TimedOut,
    /// More output came than the limit allows.
    OutputOverflow,
    /// The cancel flag was set.
    Cancelled,
}

/// A run that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub end: End,
    /// What came on stdout, at most [`Limits::output_bytes`].
    pub stdout: Vec<u8>,
    /// What came on stderr, likewise.
    pub stderr: Vec<u8>,
    /// Wall-clock time from start to end.
    pub wall: Duration,
}

/// Why a program could not be run at all.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// There is no such file.
    #[error("{} not found", .0.display())]
    NotFound(PathBuf),
    /// It could not be started, say for want of permission or of processes.
    #[error("cannot start {}: {source}", program.display())]
    Start {
        /// The executable's path.
        program: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The system failed while the program ran; it was killed.
    #[error("lost {} while it ran: {source}", program.display())]
    Lost {
        /// The executable's path.
        program: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// Runs a program on the given input until it ends, a limit is reached, or [`cancel::request`] is called.
///
/// A program that closes its stdin early loses nothing but the rest of the input; that is not an error. A program
/// that has exited is over, even where a descendant still holds its stdout open.
///
/// # Errors
/// If the program cannot be started, or the system fails while it runs.
pub fn run(command: &Command, input: &[u8], limits: &Limits) -> Result<Finished, ProcessError> {
    run_until(command, input, limits, cancel::flag())
}

/// Like [`run`], with a cancel flag of the caller's.
///
/// # Errors
/// As [`run`].
pub fn run_until(
    command: &Command,
    input: &[u8],
    limits: &Limits,
    cancelled: &AtomicBool,
) -> Result<Finished, ProcessError> {
    let start = Instant::now();
    if cancelled.load(Ordering::Relaxed) {
        return Ok(Finished { end: End::Cancelled, stdout: Vec::new(), stderr: Vec::new(), wall: Duration::ZERO });
    }
    let child = spawn(command)?;
    let lost = |source| ProcessError::Lost { program: command.program.clone(), source };
    let mut group = Group::new(child);
    group.limit_address_space(limits.address_space);
    let mut pipes = Pipes::new(&mut group.child, input, limits.output_bytes).map_err(lost)?;
    let stopped = attend(&group, &mut pipes, start, limits, cancelled).map_err(lost)?;
    let status = group.end(&mut pipes).map_err(lost)?;
    let end = match stopped {
        Some(end) => end,
        None if pipes.overflowed() => End::OutputOverflow,
        None => status.code().map_or_else(|| End::Signalled(status.signal().unwrap_or(0)), End::Exited),
    };
    Ok(Finished { end, stdout: pipes.stdout.bytes, stderr: pipes.stderr.bytes, wall: start.elapsed() })
}

fn spawn(command: &Command) -> Result<Child, ProcessError> {
    std::process::Command::new(&command.program)
        .args(&command.args)
        .envs(command.env.iter().map(|(k, v)| (k, v)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|source| match source.kind() {
            ErrorKind::NotFound => ProcessError::NotFound(command.program.clone()),
            _ => ProcessError::Start { program: command.program.clone(), source },
        })
}

/// Feeds and reads the program until it has exited (`None`) or had to be told to stop (why).
fn attend(
    group: &Group,
    pipes: &mut Pipes<'_>,
    start: Instant,
    limits: &Limits,
    cancelled: &AtomicBool,
) -> io::Result<Option<End>> {
    let mut stopped = None;
    // When to act next: the time limit, and after SIGTERM the end of the grace.
    let mut deadline = start.checked_add(limits.wall);
    // Both pipes closed and the program still there: it is about to exit, or has closed them to work on.
    let mut nap = Duration::from_micros(20);
    loop {
        let due = deadline.is_some_and(|d| Instant::now() >= d);
        if stopped.is_some() {
            if due {
                return Ok(stopped);
            }
        } else {
            stopped = if cancelled.load(Ordering::Relaxed) {
                Some(End::Cancelled)
            } else if pipes.overflowed() {
                Some(End::OutputOverflow)
            } else if due {
                Some(End::TimedOut)
            } else {
                None
            };
            if stopped.is_some() {
                group.signal(Signal::TERM);
                deadline = Instant::now().checked_add(limits.grace);
            }
        }
        if group.has_exited() {
            return Ok(stopped);
        }
        let wait = deadline.map_or(TICK, |d| d.saturating_duration_since(Instant::now()).min(TICK));
        if pipes.are_closed() {
            std::thread::sleep(nap.min(wait));
            nap = (nap * 2).min(TICK);
        } else {
            pipes.serve(wait)?;
        }
    }
}

/// The program and its process group. Dropping it kills the group and reaps the program.
struct Group {
    child: Child,
    /// Of the program and, as it leads its group, of the group.
    pid: Pid,
    reaped: bool,
}

impl Group {
    fn new(child: Child) -> Self {
        let pid = Pid::from_child(&child);
        Self { child, pid, reaped: false }
    }

    /// Best effort: a program that is already gone needs no limit.
    #[cfg(target_os = "linux")]
    fn limit_address_space(&self, bytes: Option<u64>) {
        use rustix::process::{Resource, Rlimit, prlimit};
        if bytes.is_some() {
            let _ = prlimit(Some(self.pid), Resource::As, Rlimit { current: bytes, maximum: bytes });
        }
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "there is no call that limits another process here")]
    fn limit_address_space(&self, _: Option<u64>) {}

    /// Signals every member. The program has not been reaped, so the group's number cannot have passed to another.
    fn signal(&self, signal: Signal) {
        if !self.reaped {
            // Fails only where no member is left to hear it.
            let _ = kill_process_group(self.pid, signal);
        }
    }

    /// Whether the program has exited; it is left unreaped, so that its number stays its own.
    fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        match waitid(WaitId::Pid(self.pid), options) {
            Ok(state) => state.is_some(),
            Err(rustix::io::Errno::INTR) => false,
            // Not our child any more: somebody else reaped it.
            Err(_) => true,
        }
    }

    /// Kills what is left, takes the last output, reaps the program.
    fn end(&mut self, pipes: &mut Pipes<'_>) -> io::Result<ExitStatus> {
        self.signal(Signal::KILL);
        pipes.drain();
        let status = self.child.wait();
        self.reaped = true;
        status
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.reaped {
            self.signal(Signal::KILL);
            let _ = self.child.wait();
        }
    }
}

/// Our ends of the program's pipes, none of which ever blocks.
struct Pipes<'a> {
    stdin: Option<ChildStdin>,
    /// What has still to be written.
    input: &'a [u8],
    stdout: Output,
    stderr: Output,
}

impl<'a> Pipes<'a> {
    fn new(child: &mut Child, input: &'a [u8], cap: usize) -> io::Result<Self> {
        let mut pipes = Self {
            stdin: child.stdin.take(),
            input,
            stdout: Output::new(child.stdout.take().map(|p| Box::new(p) as Box<dyn Source>), cap)?,
            stderr: Output::new(child.stderr.take().map(|p| Box::new(p) as Box<dyn Source>), cap)?,
        };
        if let Some(stdin) = &pipes.stdin {
            rustix::io::ioctl_fionbio(stdin, true)?;
        }
        // A problem that fits the pipe's buffer is written at once.
        pipes.write();
        Ok(pipes)
    }

    fn are_closed(&self) -> bool {
        self.stdin.is_none() && self.stdout.pipe.is_none() && self.stderr.pipe.is_none()
    }

    fn overflowed(&self) -> bool {
        self.stdout.overflowed || self.stderr.overflowed
    }

    /// Waits until a pipe can be served, and serves all that can.
    fn serve(&mut self, wait: Duration) -> io::Result<()> {
        let mut fds = Vec::with_capacity(3);
        if let Some(p) = &self.stdin {
            fds.push(PollFd::new(p, PollFlags::OUT));
        }
        for p in [&self.stdout.pipe, &self.stderr.pipe].into_iter().flatten() {
            fds.push(PollFd::from_borrowed_fd(p.as_fd(), PollFlags::IN));
        }
        let timeout = Timespec { tv_sec: 0, tv_nsec: wait.min(TICK).subsec_nanos().into() };
        match poll(&mut fds, Some(&timeout)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(()),
            Ok(_) => {}
            Err(e) => return Err(e.into()),
        }
        drop(fds);
        self.write();
        self.stdout.read();
        self.stderr.read();
        Ok(())
    }

    /// Writes what the pipe takes now, and closes it after the last byte or when nobody reads.
    fn write(&mut self) {
        let Some(stdin) = &mut self.stdin else { return };
        while !self.input.is_empty() {
            match stdin.write(self.input) {
                Ok(n) => self.input = self.input.get(n..).unwrap_or_default(),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => return,
                Err(_) => break,
            }
        }
        self.stdin = None;
    }

    /// Takes what the pipes still hold. The writers are dead, so this ends.
    fn drain(&mut self) {
        self.stdin = None;
        for output in [&mut self.stdout, &mut self.stderr] {
            while output.read() {}
        }
    }
}

trait Source: Read + AsFd {}
impl<T: Read + AsFd> Source for T {}

/// One of the program's output streams.
struct Output {
    pipe: Option<Box<dyn Source>>,
    bytes: Vec<u8>,
    cap: usize,
    overflowed: bool,
}

impl Output {
    fn new(pipe: Option<Box<dyn Source>>, cap: usize) -> io::Result<Self> {
        if let Some(pipe) = &pipe {
            rustix::io::ioctl_fionbio(pipe.as_fd(), true)?;
        }
        Ok(Self { pipe, bytes: Vec::new(), cap, overflowed: false })
    }

    /// Takes one chunk; whether there may be more now. At the cap the pipe is closed, so that the writer stops.
    fn read(&mut self) -> bool {
        let Some(pipe) = &mut self.pipe else { return false };
        let before = self.bytes.len();
        match pipe.by_ref().take(CHUNK as u64).read_to_end(&mut self.bytes) {
            Ok(n) if n < CHUNK => self.pipe = None,
            Ok(_) => {}
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => self.pipe = None,
        }
        if self.bytes.len() > self.cap {
            self.bytes.truncate(self.cap);
            self.overflowed = true;
            self.pipe = None;
        }
        self.pipe.is_some() && self.bytes.len() > before
    }
}
