//! What is known of a kernel before it is compiled: its text, its mapping, what the planner chooses, what is
//! refused.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[path = "../common/mod.rs"]
mod common;
mod errors;
mod mappings;
mod occupancy;
mod planner;
mod programs;
mod shipped;
