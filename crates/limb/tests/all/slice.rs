//! The kernels on limb slices against num-bigint, on every limb.

limbforge_testing::conformance_slice!(u32_limbs: u32);
limbforge_testing::conformance_slice!(u64_limbs: u64);
limbforge_testing::conformance_slice!(u128_limbs: u128);
