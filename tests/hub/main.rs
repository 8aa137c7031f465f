//! Publishing to a Hub and reading from one, over real HTTP on loopback.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod client;
mod fake;
mod folder;
mod input;
mod push;
mod python;
mod trust;
