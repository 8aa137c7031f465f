//! Language models over real HTTP on loopback: patience, limits, and never paying twice.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../support/chat.rs"]
mod chat;
mod client;
#[cfg(all(feature = "bundled-vampire", target_os = "linux"))]
mod command;
#[path = "../support/rows.rs"]
#[cfg(all(feature = "bundled-vampire", target_os = "linux"))]
mod rows;
