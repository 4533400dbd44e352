//! Occupancy against numbers worked out by hand from NVIDIA's table and granularities.

use limbforge_kernels_gen::{BlockUsage, Multiprocessor, Scarce};

fn occupancy(number: u32, threads: u32, registers: u32, shared_bytes: u64) -> (u32, Scarce, u32) {
    let multiprocessor = Multiprocessor::of(number).unwrap();
    let occupancy = multiprocessor.occupancy(&BlockUsage { threads, registers, shared_bytes });
    assert_eq!(occupancy.threads, occupancy.blocks * threads.next_multiple_of(32));
    (occupancy.blocks, occupancy.scarce, occupancy.percent().round() as u32)
}

#[test]
fn each_resource_can_be_the_scarcest() {
    assert_eq!(occupancy(90, 128, 32, 0), (16, Scarce::Threads, 100));
    assert_eq!(occupancy(90, 32, 32, 0), (32, Scarce::Blocks, 50));
    assert_eq!(occupancy(75, 32, 32, 0), (16, Scarce::Blocks, 50));
    assert_eq!(occupancy(86, 256, 40, 0), (6, Scarce::Threads, 100));
    // 88 registers: 2816 a warp, 5 warps in each quarter of the file, 20 warps.
    assert_eq!(occupancy(90, 128, 88, 0), (5, Scarce::Registers, 31));
    // 86 registers are rounded up to the same 2816.
    assert_eq!(occupancy(90, 128, 86, 0), (5, Scarce::Registers, 31));
    // 10 KiB and the reserved one: 11 KiB, 20 times in 228 KiB.
    assert_eq!(occupancy(90, 64, 16, 10 << 10), (20, Scarce::SharedMemory, 63));
    assert_eq!(occupancy(75, 64, 16, 10 << 10), (6, Scarce::SharedMemory, 38));
    // Half of 228 KiB with the reserved one, and a byte more.
    assert_eq!(occupancy(90, 32, 16, 113 << 10), (2, Scarce::SharedMemory, 3));
    assert_eq!(occupancy(90, 32, 16, (113 << 10) + 1), (1, Scarce::SharedMemory, 2));
}

#[test]
fn a_block_that_does_not_fit_is_not_held() {
    for number in Multiprocessor::KNOWN {
        let limits = Multiprocessor::of(*number).unwrap().limits;
        assert_eq!(occupancy(*number, 2048, 16, 0).0, 0);
        assert_eq!(occupancy(*number, 64, 256, 0), (0, Scarce::Registers, 0));
        assert_eq!(occupancy(*number, 1024, 65, 0), (0, Scarce::Registers, 0));
        assert_eq!(occupancy(*number, 1024, 64, 0).0, 1);
        assert_eq!(occupancy(*number, 64, 16, limits.shared_bytes).0, 1);
        assert_eq!(occupancy(*number, 64, 16, limits.shared_bytes + 1), (0, Scarce::SharedMemory, 0));
    }
    assert_eq!(Multiprocessor::of(70), None);
}
