//! Tests of the example.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "all/campaign.rs"]
mod campaign;
#[path = "all/interrupted.rs"]
mod interrupted;
#[path = "all/measured.rs"]
mod measured;
#[path = "all/solved.rs"]
mod solved;
#[path = "all/walks.rs"]
mod walks;
