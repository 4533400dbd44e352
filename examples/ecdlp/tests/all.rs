//! Tests of the example.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "all/campaign.rs"]
mod campaign;
#[path = "all/interrupted.rs"]
mod interrupted;
#[path = "all/solved.rs"]
mod solved;
#[path = "all/walks.rs"]
mod walks;
