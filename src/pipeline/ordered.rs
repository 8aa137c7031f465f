//! Working on a stream with several threads, in bounded memory, with results in the order of the stream.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

/// How far the work may run ahead of the writing. One item is always let through.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    /// Items taken and not yet written.
    pub(crate) items: usize,
    /// Their weight, in whatever unit the stream gives it.
    pub(crate) weight: usize,
}

/// What ended a stream early.
#[derive(Debug)]
pub(crate) enum Stopped<E> {
    /// The stream, the work or the writing, in its own words.
    Failed(E),
    /// A thread could not be started.
    Threads(io::Error),
}

/// An item with its weight.
pub(crate) type Weighed<T> = (T, usize);

/// Takes items one after the other, works on them on `jobs` threads, and hands the results to `write`, on this thread and
/// in the order of the items. A slow item holds up the others only where they would leave the window.
///
/// # Errors
/// The first error of the stream, after everything before it was written; the first error of `write`, after which
/// nothing is taken any more; and that of the system if it gives no thread. `stop` is asked before each item; once it says
/// yes nothing more is taken, and what was worked on is still handed to `write`.
pub(crate) fn ordered<T, R, E>(
    jobs: usize,
    window: Window,
    items: impl Iterator<Item = Result<Weighed<T>, E>> + Send,
    work: impl Fn(T) -> R + Sync,
    stop: impl Fn() -> bool + Sync,
    mut write: impl FnMut(R) -> Result<(), E>,
) -> Result<(), Stopped<E>>
where
    T: Send,
    R: Send,
    E: Send,
{
    let feed = Mutex::new(Feed { items, next: 0, ended: false });
    let gate = Gate::new(window);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        let _open = Closing(&gate);
        for _ in 0..jobs.max(1) {
            let sender = sender.clone();
            let (feed, gate, work, stop) = (&feed, &gate, &work, &stop);
            let worker = move || {
                let closing = Closing(gate);
                while let Some((number, item)) = take(feed, gate, stop) {
                    let done = match item {
                        Ok((item, weight)) => (number, Ok((work(item), weight))),
                        Err(error) => (number, Err(error)),
                    };
                    // Nobody listens any more: the writing has failed.
                    if sender.send(done).is_err() {
                        return;
                    }
                }
                // The stream has ended, and what others still work on is wanted.
                std::mem::forget(closing);
            };
            thread::Builder::new().spawn_scoped(scope, worker).map_err(Stopped::Threads)?;
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut next = 0_u64;
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&next) {
                let (done, weight) = result.map_err(Stopped::Failed)?;
                write(done).map_err(Stopped::Failed)?;
                gate.leave(weight);
                next += 1;
            }
        }
        Ok(())
    })
}

struct Feed<I> {
    items: I,
    next: u64,
    ended: bool,
}

/// The next item with its number, once there is room for it. One thread at a time waits and takes.
fn take<T, E, I: Iterator<Item = Result<Weighed<T>, E>>>(
    feed: &Mutex<Feed<I>>,
    gate: &Gate,
    stop: &impl Fn() -> bool,
) -> Option<(u64, Result<Weighed<T>, E>)> {
    let mut feed = lock(feed);
    if feed.ended || !gate.wait() || stop() {
        return None;
    }
    let item = feed.items.next();
    feed.ended = !matches!(item, Some(Ok(_)));
    let item = item?;
    if let Ok((_, weight)) = &item {
        gate.enter(*weight);
    }
    let number = feed.next;
    feed.next += 1;
    Some((number, item))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps items inside the window.
struct Gate {
    window: Window,
    inside: Mutex<Inside>,
    changed: Condvar,
}

#[derive(Default)]
struct Inside {
    items: usize,
    weight: usize,
    closed: bool,
}

impl Gate {
    fn new(window: Window) -> Self {
        Self { window, inside: Mutex::default(), changed: Condvar::new() }
    }

    /// Waits for room; `false` if nothing is let through any more.
    fn wait(&self) -> bool {
        let full = |inside: &mut Inside| {
            let beyond = inside.items >= self.window.items || inside.weight >= self.window.weight;
            !inside.closed && inside.items > 0 && beyond
        };
        !self.changed.wait_while(lock(&self.inside), full).unwrap_or_else(PoisonError::into_inner).closed
    }

    fn enter(&self, weight: usize) {
        let mut inside = lock(&self.inside);
        inside.items += 1;
        inside.weight += weight;
    }

    fn leave(&self, weight: usize) {
        let mut inside = lock(&self.inside);
        inside.items = inside.items.saturating_sub(1);
        inside.weight = inside.weight.saturating_sub(weight);
        drop(inside);
        self.changed.notify_all();
    }

    fn close(&self) {
        lock(&self.inside).closed = true;
        self.changed.notify_all();
    }
}

/// Closes the gate when a thread ends before the stream does, by a failure or a panic: else the others could wait for
/// ever for a result that never comes.
struct Closing<'a>(&'a Gate);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    const WINDOW: Window = Window { items: 8, weight: 100 };

    fn never() -> bool {
        false
    }

    fn numbers(n: usize) -> impl Iterator<Item = Result<Weighed<usize>, String>> + Send {
        (0..n).map(|i| Ok((i, 1)))
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for jobs in [0, 1, 4] {
            let mut out = Vec::new();
            let work = |i: usize| {
                thread::sleep(Duration::from_micros(((i * 7919) % 13) as u64 * 20));
                i * 2
            };
            let write = |i| -> Result<(), String> {
                out.push(i);
                Ok(())
            };
            ordered(jobs, WINDOW, numbers(200), work, never, write).unwrap();
            assert_eq!(out, (0..200).map(|i| i * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_slow_item_holds_up_no_more_than_the_window_asks() {
        let (taken, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        for (window, limit) in [(WINDOW, 8), (Window { items: 100, weight: 5 }, 5), (Window { items: 0, weight: 0 }, 1)]
        {
            taken.store(0, Ordering::SeqCst);
            most.store(0, Ordering::SeqCst);
            let written = AtomicUsize::new(0);
            let work = |i: usize| {
                let ahead = taken.fetch_add(1, Ordering::SeqCst) + 1 - written.load(Ordering::SeqCst);
                most.fetch_max(ahead, Ordering::SeqCst);
                thread::sleep(Duration::from_millis(if i == 0 { 50 } else { 0 }));
            };
            let write = |()| -> Result<(), String> {
                written.fetch_add(1, Ordering::SeqCst);
                Ok(())
            };
            ordered(2, window, numbers(40), work, never, write).unwrap();
            assert_eq!(most.load(Ordering::SeqCst), limit, "{window:?}");
        }
    }

    #[test]
    fn an_error_of_the_stream_comes_after_what_stands_before_it() {
        let items = numbers(20).chain([Err("broken".to_owned())]).chain(numbers(5));
        let mut out = Vec::new();
        let write = |i| -> Result<(), String> {
            out.push(i);
            Ok(())
        };
        let error = ordered(3, WINDOW, items, |i| i, never, write).unwrap_err();
        assert!(matches!(&error, Stopped::Failed(why) if why == "broken"), "{error:?}");
        assert_eq!(out, (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn nothing_is_taken_once_the_writing_has_failed_or_someone_says_stop() {
        let taken = AtomicUsize::new(0);
        let items = || numbers(1_000_000).inspect(|_| _ = taken.fetch_add(1, Ordering::SeqCst));
        let write = |i| if i == 10 { Err("full".to_owned()) } else { Ok(()) };
        let error = ordered(2, WINDOW, items(), |i| i, never, write).unwrap_err();
        assert!(matches!(&error, Stopped::Failed(why) if why == "full"), "{error:?}");
        assert!(taken.swap(0, Ordering::SeqCst) < 10 + 8 + 4);
        let stop = || taken.load(Ordering::SeqCst) >= 10;
        ordered(2, WINDOW, items(), |i| i, stop, |_| Ok(())).unwrap();
        assert!(taken.load(Ordering::SeqCst) <= 12);
    }

    #[test]
    fn a_panic_of_the_work_ends_everything() {
        let work = |i: usize| assert!(i != 3, "on purpose");
        let run = || ordered(2, WINDOW, numbers(1000), work, never, |()| Ok(()));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    }
}
