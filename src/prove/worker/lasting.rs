//! A child that answers one question after another.
//!
//! After each it puts all of its memory back to what it was before the first (`src/prove/rewind.cpp`), so that it meets
//! every question as a child that was just forked would. It is watched as any other, and not used again once it gave
//! reason for doubt: the next question has a new one.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{IntoRawFd as _, OwnedFd};
use std::ptr::{self, NonNull};
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd};
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};

use super::frame::Question;
use super::server::{self, Caller, Child, Place, Stream, wait_for};
use crate::prove::process::{End, Finished};

const OUTPUT_BYTES: usize = 64 * 1024;
const PROBLEM_BYTES: usize = 256 * 1024;

/// Memory that the worker and the child share; `src/prove/rewind.hpp` has the same.
#[repr(C)]
pub(super) struct Desk {
    state: u32,
    code: i32,
    problem_length: u64,
    output_length: u64,
    output: [u8; OUTPUT_BYTES],
    problem: [u8; PROBLEM_BYTES],
}

/// States of the desk: the child can take the next question, it can take none, it could never take any.
const STAYS: u32 = 0;
const LEAVES: u32 = 1;
const REFUSES: u32 = 2;

/// The desk of all the worker's children, one after another.
pub(super) struct Shared(NonNull<Desk>);

// SAFETY: the mapping is not bound to a thread.
unsafe impl Send for Shared {}

impl Shared {
    pub(super) fn new() -> io::Result<Self> {
        let flags = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping that nothing else refers to; it stays as long as the process.
        let place = unsafe { mmap_anonymous(ptr::null_mut(), size_of::<Desk>(), flags, MapFlags::SHARED) }?;
        NonNull::new(place.cast()).map(Self).ok_or_else(|| io::ErrorKind::OutOfMemory.into())
    }

    fn put(&self, problem: &[u8]) {
        let desk = self.0.as_ptr();
        let length = problem.len().min(PROBLEM_BYTES);
        // SAFETY: within the mapping. The child waits for the question, or there is none yet: only this process writes.
        unsafe {
            (*desk).state = STAYS;
            (*desk).output_length = 0;
            (*desk).problem_length = length as u64;
            ptr::copy_nonoverlapping(problem.as_ptr(), (&raw mut (*desk).problem).cast(), length);
        }
    }

    fn state_and_code(&self) -> (u32, i32) {
        let desk = self.0.as_ptr();
        // SAFETY: within the mapping. The child has answered or is gone, and writes nothing.
        unsafe { ((&raw const (*desk).state).read_volatile(), (&raw const (*desk).code).read_volatile()) }
    }

    /// Adds what was printed to the desk.
    fn take_output(&self, into: &mut Vec<u8>) {
        let desk = self.0.as_ptr();
        // SAFETY: as above.
        let output: &[u8; OUTPUT_BYTES] = unsafe { &(*desk).output };
        // SAFETY: as above.
        let length = unsafe { (&raw const (*desk).output_length).read_volatile() };
        let length = usize::try_from(length).map_or(OUTPUT_BYTES, |n| n.min(OUTPUT_BYTES));
        into.extend(output.get(..length).unwrap_or_default());
    }
}

/// Such a child, ready for a question. Dropping it kills its process group and reaps it.
pub(super) struct Lasting {
    child: Child,
    asked: File,
    answered: File,
}

/// What became of a question.
pub(super) enum Asked {
    /// It is answered, if need be by the child's end; the child, if it can take another.
    Answered(Finished, Option<Lasting>),
    /// No child can do this here.
    Refused,
}

enum Event {
    Answered,
    Ended,
    Stopped(End),
}

/// Whether the question is one for such a child.
pub(super) fn fits(question: &Question) -> bool {
    question.problem.len() <= PROBLEM_BYTES
}

/// Forks one. `None` in the child, for which the place is filled.
pub(super) fn start(caller: &mut Caller, shared: &Shared, place: &mut Place) -> io::Result<Option<Lasting>> {
    let asked = eventfd(0, EventfdFlags::CLOEXEC)?;
    let (answered, told) = io::pipe()?;
    let Some(child) = server::fork_child(caller, 0)? else {
        drop(answered);
        place.desk = shared.0.as_ptr();
        place.asked = asked.into_raw_fd();
        place.answered = told.into_raw_fd();
        return Ok(None);
    };
    let answered = OwnedFd::from(answered);
    Ok(Some(Lasting { child, asked: asked.into(), answered: answered.into() }))
}

impl Lasting {
    pub(super) fn ask(
        mut self,
        shared: &Shared,
        question: &Question,
        caller: &File,
        start: Instant,
    ) -> io::Result<Asked> {
        let cap = usize::try_from(question.output_bytes).unwrap_or(usize::MAX);
        self.child.out.cap = cap;
        self.child.err.cap = cap;
        shared.put(&question.problem);
        self.asked.write_all(&1_u64.to_ne_bytes())?;
        let event = self.attend(caller, start.checked_add(question.wall))?;
        let (state, code) = shared.state_and_code();
        let (mut end, stays) = match event {
            Event::Answered if state == REFUSES => return Ok(Asked::Refused),
            Event::Answered if state == LEAVES => {
                self.child.end(None)?;
                (End::Exited(code), false)
            }
            Event::Answered => (End::Exited(code), true),
            Event::Ended => (self.child.end(None)?, false),
            Event::Stopped(end) => (self.child.end(Some(end))?, false),
        };
        let mut stdout = std::mem::take(&mut self.child.out.bytes);
        let stderr = std::mem::take(&mut self.child.err.bytes);
        shared.take_output(&mut stdout);
        if stdout.len() > cap {
            stdout.truncate(cap);
            if matches!(end, End::Exited(_)) {
                end = End::OutputOverflow;
            }
        }
        let finished = Finished { end, stdout, stderr, wall: start.elapsed() };
        Ok(Asked::Answered(finished, stays.then_some(self)))
    }

    /// Waits until there is an answer, the child has ended, or it has to be stopped.
    fn attend(&mut self, caller: &File, deadline: Option<Instant>) -> io::Result<Event> {
        loop {
            let now = Instant::now();
            if deadline.is_some_and(|d| now >= d) {
                return Ok(Event::Stopped(End::TimedOut));
            }
            if self.child.out.overflowed || self.child.err.overflowed {
                return Ok(Event::Stopped(End::OutputOverflow));
            }
            let wait = deadline.map_or(Duration::from_secs(1), |d| d.duration_since(now));
            // Should the caller go away, the child is of no use to anybody. The answer stands before the outputs: what
            // was written before it is seen with it.
            let mut fds = vec![PollFd::new(caller, PollFlags::empty()), PollFd::new(&self.answered, PollFlags::IN)];
            let outputs = [&self.child.out, &self.child.err];
            fds.extend(outputs.into_iter().filter_map(Stream::as_poll));
            let gone = wait_for(&mut fds, wait)?;
            let mut happened = fds.iter().skip(1).map(|fd| !fd.revents().is_empty());
            let answered = happened.next() == Some(true);
            let printed = happened.any(|is| is);
            drop(fds);
            if printed {
                while self.child.out.read() {}
                while self.child.err.read() {}
            }
            if answered {
                return Ok(if self.answered.read(&mut [0])? == 1 { Event::Answered } else { Event::Ended });
            }
            if gone {
                return Ok(Event::Stopped(End::Cancelled));
            }
        }
    }
}
