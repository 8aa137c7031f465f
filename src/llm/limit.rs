//! Not asking more often than an endpoint allows.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

/// What is kept back beyond a window, since requests that leave in time may arrive closer together.
const MARGIN: Duration = Duration::from_millis(300);

/// Lets no more than so much through in every window of time, whenever that window begins.
///
/// The usual leaky buckets let a burst through on top of the steady rate, so that an endpoint that counts what came in the
/// last minute sees too much.
#[derive(Debug)]
pub struct SlidingWindow {
    amount: u64,
    window: Duration,
    passed: Mutex<VecDeque<(Instant, u64)>>,
}

impl SlidingWindow {
    /// `amount` in every `window`.
    #[must_use]
    pub fn new(amount: u64, window: Duration) -> Self {
        Self { amount: amount.max(1), window: window + MARGIN, passed: Mutex::default() }
    }

    /// Waits until `weight` more can pass, and notes that it did. What is heavier than the whole window passes alone.
    pub async fn pass(&self, weight: u64) {
        // Held while waiting: who came first goes first.
        let mut passed = self.passed.lock().await;
        let weight = weight.min(self.amount);
        loop {
            let now = Instant::now();
            while passed.front().is_some_and(|(at, _)| now.duration_since(*at) >= self.window) {
                passed.pop_front();
            }
            let inside: u64 = passed.iter().map(|(_, weight)| weight).sum();
            if inside + weight <= self.amount {
                passed.push_back((now, weight));
                return;
            }
            // When enough of it will have left.
            let mut over = inside + weight - self.amount;
            let mut until = now + self.window;
            for (at, weight) in passed.iter() {
                over = over.saturating_sub(*weight);
                if over == 0 {
                    until = *at + self.window;
                    break;
                }
            }
            sleep(until.duration_since(now)).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When each of `n` passes, with the clock of tokio's tests.
    fn times(limit: &SlidingWindow, weights: &[u64]) -> Vec<f64> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        runtime.expect("a runtime").block_on(async {
            let start = Instant::now();
            let mut out = Vec::new();
            for weight in weights {
                limit.pass(*weight).await;
                out.push(start.elapsed().as_secs_f64());
            }
            out
        })
    }

    #[test]
    fn no_window_holds_more_and_little_is_wasted() {
        let limit = SlidingWindow::new(60, Duration::from_secs(60));
        let times = times(&limit, &[1; 600]);
        for (i, at) in times.iter().enumerate() {
            if let Some(later) = times.get(i + 60) {
                assert!(later - at > 60.0, "{i}");
            }
        }
        assert!(times[599] < 9.0 * 60.0 * 1.1, "{}", times[599]);
    }

    #[test]
    fn weights_add_up() {
        let limit = SlidingWindow::new(100, Duration::from_secs(60));
        let times = times(&limit, &[60, 30, 20, 1000, 1]);
        assert!(times[1] < 0.1);
        assert!((60.0..61.0).contains(&times[2]), "{times:?}");
        assert!((120.0..122.0).contains(&times[3]), "{times:?}");
        assert!((180.0..183.0).contains(&times[4]), "{times:?}");
    }
}
