//! The worker's side: waits for questions, has a child for each, keeps it within its limits, and replies.
//!
//! One thread, and no more memory than Vampire itself needs: everything here is copied by each fork.

use std::ffi::{OsString, c_int};
use std::fs::File;
use std::io::{self, PipeWriter, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, setrlimit, waitid,
};

use super::frame::{self, Question, Reply};
#[cfg(target_os = "linux")]
use super::lasting::{self, Asked, Desk, Lasting, Shared};
use crate::prove::bundled;
use crate::prove::process::{End, Finished};

/// How long a child may run before its output is read as it comes. Until then only its end is waited for: a small
/// answer fits the pipe, and a reader that wakes for each line of it would cost more than the child.
const QUIET: Duration = Duration::from_millis(4);
/// The longest time between two looks where the end of a child cannot be waited for.
const TICK: Duration = Duration::from_millis(2);
const CHUNK: usize = 64 * 1024;

/// The caller's pipes; `None` before the worker begins.
static CALLER: Mutex<Option<Caller>> = Mutex::new(None);

pub(super) struct Caller {
    questions: File,
    replies: File,
    /// Bytes that were read beyond the last frame.
    ahead: Vec<u8>,
    null: OwnedFd,
    /// The problem, in the child.
    problem: Vec<u8>,
    #[cfg(target_os = "linux")]
    lasting: Option<Lasting>,
    #[cfg(target_os = "linux")]
    shared: Option<Shared>,
}

#[cfg(not(target_os = "linux"))]
type Desk = std::ffi::c_void;

/// Where a child begins; `src/prove/bundled.cpp` has the same.
#[repr(C)]
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "children stay on Linux only"))]
pub(super) struct Place {
    /// Whether a child may stay for more than one question.
    pub(super) may_stay: bool,
    /// For one question: its problem.
    problem: *const u8,
    length: usize,
    /// For more: what [`super::lasting`] tells of.
    pub(super) desk: *mut Desk,
    pub(super) asked: c_int,
    pub(super) answered: c_int,
}

/// Becomes a worker: arguments as after [`super::COMMAND`]. Ends the process, or returns a code if it cannot begin.
pub(crate) fn serve(args: &[OsString]) -> i32 {
    let Some((address_space, args)) = args.split_first() else { return 1 };
    let Some(bytes) = address_space.to_str().and_then(|n| n.parse::<u64>().ok()) else { return 1 };
    if begin(bytes).is_err() {
        return 1;
    }
    bundled::work(args)
}

fn begin(address_space: u64) -> io::Result<()> {
    // A worker sees by its closed pipe that its caller is gone, unless it is stopped; then only this ends it. Should the
    // caller be gone already, the pipe is closed.
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // stdin and stdout become the caller's alone; Vampire has /dev/null for both.
    let questions = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    let replies = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
    let null = OwnedFd::from(File::options().read(true).write(true).open("/dev/null")?);
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    if address_space > 0 {
        // As for a process; where there is no such limit, the prover's own is the only one.
        let limit = Some(address_space);
        let _ = setrlimit(Resource::As, Rlimit { current: limit, maximum: limit });
    }
    #[cfg(target_os = "linux")]
    super::text::into_huge_pages();
    *lock() = Some(Caller {
        questions: questions.into(),
        replies: replies.into(),
        ahead: Vec::new(),
        null,
        problem: Vec::new(),
        #[cfg(target_os = "linux")]
        lasting: None,
        #[cfg(target_os = "linux")]
        shared: None,
    });
    Ok(())
}

fn lock() -> std::sync::MutexGuard<'static, Option<Caller>> {
    CALLER.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Called by Vampire when its command line is read. Returns true in each child, with the place filled; false in the worker
/// when no question is to come or none can be served any more.
#[unsafe(no_mangle)]
extern "C" fn refolio_worker_serve(place: *mut Place) -> bool {
    // SAFETY: Vampire passes a valid pointer that only this call uses.
    let Some(place) = (unsafe { place.as_mut() }) else { return false };
    let mut caller = lock();
    let Some(caller) = caller.as_mut() else { return false };
    // A broken frame is nothing to guess about: the caller sees the worker end.
    while let Ok(Some((question, digest))) = caller.question() {
        let id = question.id;
        match answer(caller, question, place) {
            Ok(Side::Child) => return true,
            Ok(Side::Worker(finished)) => {
                let reply = Reply { id, question: digest, finished };
                if caller.replies.write_all(&reply.encode()).is_err() {
                    break;
                }
            }
            Err(_) => break,
        }
    }
    #[cfg(target_os = "linux")]
    drop(caller.lasting.take());
    false
}

impl Caller {
    /// The next question; `None` if the caller has closed its end.
    fn question(&mut self) -> io::Result<Option<(Question, [u8; frame::DIGEST])>> {
        let invalid = |e| io::Error::new(io::ErrorKind::InvalidData, e);
        loop {
            if let Some(length) = frame::length(&self.ahead).map_err(invalid)?
                && self.ahead.len() >= length
            {
                let rest = self.ahead.split_off(length);
                let whole = std::mem::replace(&mut self.ahead, rest);
                return Question::decode(&whole).map(Some).map_err(invalid);
            }
            let mut chunk = [0; 8192];
            match self.questions.read(&mut chunk) {
                Ok(0) => return Ok(None),
                Ok(n) => self.ahead.extend(chunk.get(..n).unwrap_or_default()),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
    }
}

/// Where a fork returned.
enum Side {
    Child,
    Worker(Finished),
}

unsafe extern "C" {
    /// POSIX.
    fn fork() -> i32;
}

fn answer(caller: &mut Caller, question: Question, place: &mut Place) -> io::Result<Side> {
    let start = Instant::now();
    #[cfg(target_os = "linux")]
    if place.may_stay && lasting::fits(&question) {
        let shared = match caller.shared.take() {
            Some(shared) => shared,
            None => Shared::new()?,
        };
        let child = match caller.lasting.take() {
            Some(child) => child,
            None => match lasting::start(caller, &shared, place)? {
                Some(child) => child,
                None => return Ok(Side::Child),
            },
        };
        let asked = child.ask(&shared, &question, &caller.questions, start)?;
        caller.shared = Some(shared);
        match asked {
            Asked::Answered(finished, child) => {
                caller.lasting = child;
                return Ok(Side::Worker(finished));
            }
            Asked::Refused => place.may_stay = false,
        }
    }
    let cap = usize::try_from(question.output_bytes).unwrap_or(usize::MAX);
    let Some(mut child) = fork_child(caller, cap)? else {
        caller.problem = question.problem;
        place.problem = caller.problem.as_ptr();
        place.length = caller.problem.len();
        return Ok(Side::Child);
    };
    let stopped = child.attend(&caller.questions, start, start.checked_add(question.wall))?;
    let end = child.end(stopped)?;
    let (stdout, stderr) = (std::mem::take(&mut child.out.bytes), std::mem::take(&mut child.err.bytes));
    Ok(Side::Worker(Finished { end, stdout, stderr, wall: start.elapsed() }))
}

/// Forks a child each of whose outputs may bring so many bytes. `None` in the child itself.
pub(super) fn fork_child(caller: &mut Caller, cap: usize) -> io::Result<Option<Child>> {
    let (out, out_end) = io::pipe()?;
    let (err, err_end) = io::pipe()?;
    let worker = rustix::process::getpid();
    // SAFETY: the worker has one thread, so the child finds every lock and the allocator as they should be.
    let pid = match unsafe { fork() } {
        0 => return become_child(caller, &out_end, &err_end, worker).map(|()| None),
        pid => Pid::from_raw(pid).filter(|_| pid > 0).ok_or_else(io::Error::last_os_error)?,
    };
    // Done by both, so that it is done before either goes on. Fails only where the child was first.
    let _ = rustix::process::setpgid(Some(pid), Some(pid));
    let (out, err) = (Stream::new(out.into(), cap)?, Stream::new(err.into(), cap)?);
    Ok(Some(Child { pid, reaped: false, out, err }))
}

/// What the child does before it is Vampire again: output to the worker, and none of the caller's pipes.
fn become_child(caller: &mut Caller, out: &PipeWriter, err: &PipeWriter, worker: Pid) -> io::Result<()> {
    rustix::process::setpgid(None, None)?;
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // The worker may have died before that was set.
    if rustix::process::getppid() != Some(worker) {
        return Err(io::ErrorKind::NotConnected.into());
    }
    rustix::stdio::dup2_stdout(out)?;
    rustix::stdio::dup2_stderr(err)?;
    caller.questions = File::from(caller.null.try_clone()?);
    caller.replies = File::from(caller.null.try_clone()?);
    caller.ahead = Vec::new();
    Ok(())
}

/// A running child. Dropping it kills its process group and reaps it.
pub(super) struct Child {
    pid: Pid,
    reaped: bool,
    pub(super) out: Stream,
    pub(super) err: Stream,
}

impl Child {
    /// Waits until the child has exited (`None`) or has to be stopped (why).
    fn attend(&mut self, caller: &File, start: Instant, deadline: Option<Instant>) -> io::Result<Option<End>> {
        #[cfg(target_os = "linux")]
        let handle = rustix::process::pidfd_open(self.pid, rustix::process::PidfdFlags::empty()).ok();
        #[cfg(not(target_os = "linux"))]
        let handle: Option<OwnedFd> = None;
        loop {
            if self.has_exited()? {
                return Ok(None);
            }
            let now = Instant::now();
            if deadline.is_some_and(|d| now >= d) {
                return Ok(Some(End::TimedOut));
            }
            if self.out.overflowed || self.err.overflowed {
                return Ok(Some(End::OutputOverflow));
            }
            let quiet = QUIET.saturating_sub(now.duration_since(start));
            let mut wait = deadline.map_or(Duration::from_secs(1), |d| d.duration_since(now));
            // Should the caller go away, the child is of no use to anybody.
            let mut fds = vec![PollFd::new(caller, PollFlags::empty())];
            if let Some(handle) = &handle {
                fds.push(PollFd::new(handle, PollFlags::IN));
            } else {
                wait = wait.min(TICK);
            }
            if quiet.is_zero() {
                fds.extend([&self.out, &self.err].into_iter().filter_map(Stream::as_poll));
            } else {
                wait = wait.min(quiet);
            }
            let gone = wait_for(&mut fds, wait)?;
            drop(fds);
            if gone {
                return Ok(Some(End::Cancelled));
            }
            if quiet.is_zero() {
                self.out.read();
                self.err.read();
            }
        }
    }

    fn has_exited(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        Ok(waitid(WaitId::Pid(self.pid), options)?.is_some())
    }

    /// Kills what is left of the group, takes the last output, reaps the child.
    pub(super) fn end(&mut self, stopped: Option<End>) -> io::Result<End> {
        // Fails only where no member is left. The child is not reaped, so its number is still its own.
        let _ = kill_process_group(self.pid, Signal::KILL);
        let status = waitid(WaitId::Pid(self.pid), WaitIdOptions::EXITED)?;
        self.reaped = true;
        while self.out.read() {}
        while self.err.read() {}
        let ended = |s: WaitIdStatus| {
            s.exit_status().map_or_else(|| End::Signalled(s.terminating_signal().unwrap_or(0)), End::Exited)
        };
        Ok(match stopped {
            Some(end) => end,
            None if self.out.overflowed || self.err.overflowed => End::OutputOverflow,
            None => status.map_or(End::Signalled(0), ended),
        })
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.reaped {
            let _ = kill_process_group(self.pid, Signal::KILL);
            let _ = waitid(WaitId::Pid(self.pid), WaitIdOptions::EXITED);
        }
    }
}

/// Waits until something happens or the time is over; whether the first has hung up.
pub(super) fn wait_for(fds: &mut [PollFd<'_>], wait: Duration) -> io::Result<bool> {
    // Rounded up to the microsecond: a wait of nothing would spin.
    let wait = wait.max(Duration::from_micros(1)).min(Duration::from_secs(60));
    let timeout = Timespec { tv_sec: wait.as_secs().cast_signed(), tv_nsec: wait.subsec_nanos().into() };
    match poll(fds, Some(&timeout)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(e) => return Err(e.into()),
    }
    Ok(fds.first().is_some_and(|f| f.revents().intersects(PollFlags::HUP | PollFlags::ERR)))
}

/// One of the child's outputs.
pub(super) struct Stream {
    pipe: Option<File>,
    pub(super) bytes: Vec<u8>,
    pub(super) cap: usize,
    pub(super) overflowed: bool,
}

impl Stream {
    fn new(pipe: OwnedFd, cap: usize) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Self { pipe: Some(pipe.into()), bytes: Vec::new(), cap, overflowed: false })
    }

    pub(super) fn as_poll(&self) -> Option<PollFd<'_>> {
        let fd: BorrowedFd<'_> = self.pipe.as_ref()?.as_fd();
        Some(PollFd::from_borrowed_fd(fd, PollFlags::IN))
    }

    /// Takes what is there now, a chunk at most; whether there may be more now.
    pub(super) fn read(&mut self) -> bool {
        let Some(pipe) = &mut self.pipe else { return false };
        let before = self.bytes.len();
        match pipe.take(CHUNK as u64).read_to_end(&mut self.bytes) {
            Ok(n) if n < CHUNK => self.pipe = None,
            Ok(_) => {}
            Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
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
