//! What happens on a machine without a GPU: errors that say what to do, and no panic.

use limbforge_gpu::pathfinder::Environment;
use limbforge_gpu::{Device, DoctorReport, GpuError, NvrtcError, Version, devices, driver_version};
use limbforge_needs::needs;

#[needs(no_driver)]
#[test]
fn without_a_driver_everything_is_a_typed_error() {
    assert_eq!(driver_version(), Err(GpuError::NoDriver));
    assert_eq!(devices(), Err(GpuError::NoDriver));
    for ordinal in [0, 1, usize::MAX] {
        assert_eq!(Device::open(ordinal).err(), Some(GpuError::NoDriver));
    }
    let text = GpuError::NoDriver.to_string();
    assert!(text.contains("install it, or use the CPU backend"), "{text}");
}

#[test]
fn a_driver_without_a_gpu_is_a_typed_error() {
    match (driver_version(), devices()) {
        (Err(_), Err(error)) => assert_eq!(error, GpuError::NoDriver),
        (Ok(_), Err(error)) => {
            assert!(matches!(error, GpuError::NoDevice | GpuError::OldDriver { .. }), "{error}");
        }
        (Ok(_), Ok(devices)) => {
            let found = devices.len();
            assert_eq!(Device::open(found).err(), Some(GpuError::Ordinal { asked: found, found }));
        }
        (Err(error), Ok(_)) => panic!("devices without a driver: {error}"),
    }
}

#[test]
fn messages_say_what_to_do() {
    let version = Version { major: 12, minor: 2 };
    let entry = || "add".to_owned();
    let driver = |code| GpuError::Driver { action: "run", code, name: "NAME".into(), text: "text".into() };
    let cases = [
        (GpuError::OldDriver { version, symbol: "cuX" }, "12.2) has no function cuX: install a newer driver"),
        (GpuError::NoDevice, "CUDA_VISIBLE_DEVICES"),
        (GpuError::Ordinal { asked: 3, found: 2 }, "no GPU 3: expected a number below 2"),
        (GpuError::OutOfMemory { asked: 10, free: 5 }, "10 bytes asked for, 5 free; use smaller batches"),
        (GpuError::PinnedMemory { asked: 10 }, "use smaller batches, batches in ordinary memory, or a"),
        (GpuError::Allowance { allowance: 1, least: 6 }, "needs at least 6"),
        (GpuError::Nvrtc(NvrtcError::Missing { looked: vec![] }), "pip install nvidia-cuda-nvrtc"),
        (
            GpuError::Refused { entry: entry(), driver: version, nvrtc: version, reason: "NAME".into() },
            "update the driver",
        ),
        (GpuError::Entry { entry: entry() }, "extern \"C\" __global__"),
        (GpuError::SharedMemory { entry: entry(), asked: 9, limit: 8 }, "needs 9 bytes of shared memory"),
        (GpuError::Threads { entry: entry(), asked: 9, limit: 8 }, "more limbs per thread"),
        (GpuError::Grid { instances: 9, blocks: 9, limit: 8 }, "use smaller batches"),
        (GpuError::Inputs { entry: entry(), expected: 2, found: 1 }, "has 2 inputs, found 1"),
        (
            GpuError::Size { what: "input 0".into(), expected: 8, found: 7 },
            "input 0 has 7 bytes and 8 are needed",
        ),
        (
            GpuError::Foreign { found: "of GPU 1".into(), expected: "of GPU 0".into() },
            "the memory is of GPU 1; expected memory of GPU 0: copy it there first",
        ),
        (GpuError::OtherDevice { what: "input 0".into() }, "another GPU"),
        (driver(719), "NAME (719), text; the kernel has failed"),
        (driver(1), "see `limbforge doctor`"),
    ];
    for (error, part) in cases {
        assert!(error.to_string().contains(part), "`{part}` is not in `{error}`");
    }
}

#[test]
fn the_doctor_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let environment = Environment::rooted("/nowhere").with_variable("LIMBFORGE_NVRTC", "/nowhere/nvrtc");
    let report = DoctorReport::of(&environment, Some(folder.path().join("cache")));
    assert!(!report.is_ready());
    assert_eq!(report.cache.problem, None);
    let text = report.to_string();
    assert!(text.contains("to do: LIMBFORGE_NVRTC is /nowhere/nvrtc, where no libnvrtc is"), "{text}");
    if report.driver.is_err() {
        assert!(text.contains("driver: none\nGPUs: none\n"), "{text}");
        assert!(text.contains("to do: NVIDIA's driver is not installed"), "{text}");
    }
    std::fs::write(folder.path().join("file"), "").unwrap();
    let report = DoctorReport::of(&environment, Some(folder.path().join("file/cache")));
    assert!(report.cache.problem.is_some() && report.to_string().contains("set LIMBFORGE_CACHE"));
    assert!(DoctorReport::of(&environment, None).to_string().contains("compile cache: in memory only"));
}

#[test]
fn the_doctor_looks_at_this_machine() {
    let report = DoctorReport::collect();
    println!("{report}");
    assert_eq!(report.is_ready(), report.devices.is_ok() && report.nvrtc.open.is_ok());
}
