//! The resources that ptxas reports for a kernel.

use serde::Serialize;

/// The option that makes ptxas report them in nvrtc's log.
pub(super) const VERBOSE: &str = "--ptxas-options=-v";

/// The resources of a thread, and the shared memory that the source declares for a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Usage {
    pub(super) registers: u32,
    pub(super) stack_bytes: u32,
    pub(super) spill_store_bytes: u32,
    pub(super) spill_load_bytes: u32,
    pub(super) static_shared_bytes: u32,
}

impl Usage {
    /// From nvrtc's log of a source with one kernel; None if the log lacks a number.
    pub(super) fn parse(log: &str) -> Option<Self> {
        let frame = log.lines().find(|line| line.contains("bytes stack frame"))?;
        let used = log.lines().find(|line| line.contains("Used ") && line.contains(" registers"))?;
        Some(Self {
            registers: before(used, "registers")?,
            stack_bytes: before(frame, "bytes stack frame")?,
            spill_store_bytes: before(frame, "bytes spill stores")?,
            spill_load_bytes: before(frame, "bytes spill loads")?,
            static_shared_bytes: before(used, "bytes smem").unwrap_or(0),
        })
    }
}

/// The number before a unit: 20 in `Used 20 registers, 384 bytes smem`.
fn before(line: &str, unit: &str) -> Option<u32> {
    line[..line.find(unit)?].split_whitespace().next_back()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_of_ptxas() {
        let log = "kernel.cu(335): warning #128-D: loop is not reachable\n\
             ptxas info    : 64 bytes gmem, 128 bytes cmem[4]\n\
             ptxas info    : Compiling entry function 'limbforge_kernel' for 'sm_75'\n\
             ptxas info    : Function properties for limbforge_kernel\n\
             ptxas         .     16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n\
             ptxas info    : Used 86 registers, used 0 barriers, 1024 bytes smem, 384 bytes cmem[0]\n";
        let usage = Usage {
            registers: 86,
            stack_bytes: 16,
            spill_store_bytes: 8,
            spill_load_bytes: 12,
            static_shared_bytes: 1024,
        };
        assert_eq!(Usage::parse(log), Some(usage));
        let without = log.replace(" 1024 bytes smem,", "");
        assert_eq!(Usage::parse(&without), Some(Usage { static_shared_bytes: 0, ..usage }));
        for log in ["", "ptxas info : Used many registers\n0 bytes stack frame", "Used 3 registers"] {
            assert_eq!(Usage::parse(log), None, "{log}");
        }
    }
}
