//! What is known of the processor beside its instructions, for choices between algorithms.

/// Whether Intel made the processor: its timings differ from AMD's where both have the same instructions.
///
/// ```
/// let intel = limbforge_limb::processor::is_intel();
/// assert!(cfg!(target_arch = "x86_64") || !intel);
/// ```
#[must_use]
pub fn is_intel() -> bool {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::sync::OnceLock;
        // The instruction leaves a virtual machine, which takes microseconds.
        static INTEL: OnceLock<bool> = OnceLock::new();
        return *INTEL.get_or_init(|| {
            #[allow(unsafe_code, unused_unsafe, reason = "`__cpuid` is unsafe before Rust 1.94")]
            // SAFETY: every processor of x86-64 has `cpuid`.
            let vendor = unsafe { core::arch::x86_64::__cpuid(0) };
            [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).as_flattened() == b"GenuineIntel"
        });
    }
    #[allow(unreachable_code, reason = "other processors")]
    false
}
