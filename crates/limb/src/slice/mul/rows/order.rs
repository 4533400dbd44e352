//! The order of additions of rows in assembly, by the processor.

/// In which order a limb of the sum takes the two halves that are added to it, and where the instructions are. The
/// result is the same.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "assembly of x86-64"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Behind a multiplication its low half, and its high half to the next limb.
    LowFirst,
    /// Behind a multiplication the high half of the one before, and its own low half to the same limb. A study of low
    /// products found this order faster on Sapphire Rapids, in a function of its own: see `docs/mul_cpu.md`.
    HighFirst,
}

#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
impl Order {
    /// All orders, for tests.
    #[cfg(test)]
    pub(super) const ALL: [Self; 2] = [Self::LowFirst, Self::HighFirst];

    /// The order that this processor, or `LIMBFORGE_ROWS`, asks for; none if it has not the instructions.
    fn of_this_processor() -> Option<Self> {
        let fast = std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx");
        match std::env::var_os("LIMBFORGE_ROWS").as_ref().and_then(|rows| rows.to_str()) {
            _ if !fast => None,
            Some("portable") => None,
            Some("low_first") => Some(Self::LowFirst),
            Some("high_first") => Some(Self::HighFirst),
            _ if is_intel() => Some(Self::HighFirst),
            _ => Some(Self::LowFirst),
        }
    }
}

#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
#[allow(unsafe_code, unused_unsafe, reason = "`__cpuid` is unsafe before Rust 1.94")]
fn is_intel() -> bool {
    // SAFETY: every processor of x86-64 has `cpuid`.
    let vendor = unsafe { core::arch::x86_64::__cpuid(0) };
    [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).as_flattened() == b"GenuineIntel"
}

/// The order of rows in assembly; none if there are none.
#[inline]
pub(super) fn order() -> Option<Order> {
    #[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
    {
        use std::sync::OnceLock;
        static ORDER: OnceLock<Option<Order>> = OnceLock::new();
        return *ORDER.get_or_init(Order::of_this_processor);
    }
    #[allow(unreachable_code, reason = "other processors and the feature `portable`")]
    None
}
