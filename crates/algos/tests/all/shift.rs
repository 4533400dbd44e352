//! Shifts: the conformance suite on every limb.

mod on_u32 {
    limbforge_testing::conformance_block!(shift, u32);
}
mod on_u64 {
    limbforge_testing::conformance_block!(shift, u64);
}
mod on_u128 {
    limbforge_testing::conformance_block!(shift, u128);
}
