//! Language models over real HTTP on loopback: patience, limits, and never paying twice.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../support/chat.rs"]
mod chat;
mod client;
#[cfg(all(feature = "bundled-vampire", target_os = "linux"))]
mod command;
#[cfg(all(feature = "bundled-vampire", target_os = "linux"))]
mod folder;
#[cfg(all(feature = "bundled-vampire", target_os = "linux"))]
mod real;
#[cfg(all(feature = "bundled-vampire", target_os = "linux"))]
mod recorded;
#[path = "../support/rows.rs"]
#[cfg(all(feature = "bundled-vampire", target_os = "linux"))]
mod rows;
