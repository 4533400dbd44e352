//! The limbs that limbforge brings obey the laws of a limb, and the kernels are exact on each.

limbforge_testing::conformance_base!(u32_limb: u32);
limbforge_testing::conformance_base!(u64_limb: u64);
limbforge_testing::conformance_base!(u128_limb: u128);
