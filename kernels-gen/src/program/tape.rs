//! The tape: operations, their order, their slots.

pub(super) mod code;
mod flow;
mod order;
mod schedule;
mod sink;
mod slots;

pub(super) use flow::{flatten, without_dead};
pub(super) use order::ordered;
pub(super) use sink::sunk;
pub(super) use slots::{Slots, allocate, free_slot};
