//! The order of additions of rows in assembly, by the processor.

use crate::processor;

/// In which order a limb of the sum takes the two halves that are added to it, and where the instructions are. The
/// result is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::slice) enum Order {
    /// Behind a multiplication its low half, and its high half to the next limb.
    LowFirst,
    /// Behind a multiplication the high half of the one before, and its own low half to the same limb: faster on Sapphire
    /// Rapids, see `docs/mul_cpu.md`.
    HighFirst,
}

impl Order {
    /// All orders, for tests.
    #[cfg(test)]
    pub(in crate::slice) const ALL: [Self; 2] = [Self::LowFirst, Self::HighFirst];

    /// The order that `LIMBFORGE_ROWS` asks for, or this processor.
    fn of_this_processor() -> Self {
        match std::env::var_os("LIMBFORGE_ROWS").as_ref().and_then(|rows| rows.to_str()) {
            Some("low_first") => Self::LowFirst,
            Some("high_first") => Self::HighFirst,
            _ if processor::is_intel() => Self::HighFirst,
            _ => Self::LowFirst,
        }
    }
}

/// The order of rows in blocks.
#[inline]
pub(in crate::slice) fn order() -> Order {
    use std::sync::OnceLock;
    static ORDER: OnceLock<Order> = OnceLock::new();
    *ORDER.get_or_init(Order::of_this_processor)
}
