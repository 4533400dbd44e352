//! Batches through one device or several, from and to every kind of memory.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use limbforge_gpu::{
    Chunk, Compiler, Device, GpuError, HostBatch, HostResult, LoadedProgram, Operands, Results, Station,
    devices, stream,
};
use limbforge_kernels_gen::{Launch, Program, Sink, Source};
use limbforge_needs::needs;

use super::{add, batch, gpu, load, words};

/// Not a multiple of anything, and several chunks.
const N: usize = 750_007;

fn station<'a>(device: &'a Device, program: &'a LoadedProgram) -> Station<'a> {
    Station { device, program, allowance: 1 << 30 }
}

#[needs(gpu, nvrtc)]
#[test]
fn streams_of_any_allowance() {
    let gpu = gpu();
    let kernel = load(&gpu);
    let [a, b, sum] = batch(N);
    // 12 bytes an instance: two slots of one instance would be 24.
    for (allowance, n) in [
        (24, 50),
        (36, 50),
        (12 * 3 * 1000, 70_001),
        (12 * 3 * 1024, 128),
        (1 << 30, N),
        (24 << 20, N),
        (1 << 30, 0),
    ] {
        let mut result = vec![0xAA; 4 * n];
        let inputs: [&[u8]; 2] = [&a[..4 * n], &b[..4 * n]];
        let marked = gpu.0.stream_slices(&kernel, &inputs, &mut result, n as u64, allowance).unwrap();
        assert!(marked.is_empty() && result == sum[..4 * n], "{allowance} {n}");
    }
    let error = gpu.0.stream_slices(&kernel, &[&a, &b], &mut vec![0; 4 * N], N as u64, 23).unwrap_err();
    assert_eq!(error, GpuError::Allowance { allowance: 23, least: 24 });
}

#[needs(gpu, nvrtc)]
#[test]
fn pinned_memory_is_copied_from_and_to_directly() {
    let gpu = gpu();
    let kernel = load(&gpu);
    let [a, b, sum] = batch(N);
    let pinned = |bytes: &[u8]| {
        let mut pinned = gpu.0.pinned::<u8>(bytes.len()).unwrap();
        pinned.as_mut_slice().copy_from_slice(bytes);
        pinned
    };
    let (in0, in1, mut out) = (pinned(&a), pinned(&b), pinned(&vec![0xAA; 4 * N]));
    for inputs in [[in0.as_slice(), in1.as_slice()], [&*a, in1.as_slice()]] {
        out.as_mut_slice().fill(0);
        gpu.0.stream_slices(&kernel, &inputs, out.as_mut_slice(), N as u64, 1 << 30).unwrap();
        assert!(out.as_slice() == sum);
    }
    let mut ordinary = vec![0; 4 * N];
    gpu.0
        .stream_slices(&kernel, &[in0.as_slice(), in1.as_slice()], &mut ordinary, N as u64, 1 << 30)
        .unwrap();
    assert!(ordinary == sum);
}

#[needs(gpu, nvrtc)]
#[test]
fn interleaved_batches_stay_interleaved() {
    let gpu = gpu();
    // Two words an instance, whose sums do not depend on each other: rows of first and of second words.
    let inputs = vec![Source::Input(0), Source::Input(1)];
    let program = Program {
        kernels: vec![add().into()],
        launches: vec![Launch { kernel: 0, inputs, outputs: vec![Sink::Result(0)], repeats: 2 }],
        tables: vec![],
        buffers: vec![],
        uniforms: vec![],
        chunk: u64::MAX,
        group: 1,
        input_words: vec![2, 2],
        result_words: vec![2],
    };
    let kernel = gpu.0.load_program(&gpu.1, &program, &[add()]).unwrap();
    let [a, b, sum] = batch(2 * N);
    let mut result = vec![0xAA; 8 * N];
    let batches = [HostBatch::interleaved(&a, 2), HostBatch::interleaved(&b, 2)];
    let results = Results::Memory(vec![HostResult::interleaved(&mut result, 2)]);
    stream::<GpuError>(&[station(&gpu.0, &kernel)], Operands::Memory(&batches), results, N as u64).unwrap();
    assert!(result == sum);
}

#[derive(Debug, PartialEq)]
enum Mine {
    Gpu(GpuError),
    Reader,
    Writer,
}

impl From<GpuError> for Mine {
    fn from(error: GpuError) -> Self {
        Self::Gpu(error)
    }
}

#[needs(gpu, nvrtc)]
#[test]
fn every_instance_is_written_once_and_the_callers_error_ends_the_run() {
    let gpu = gpu();
    let kernel = load(&gpu);
    let run = |bad_read: usize, bad_write: usize| {
        let (reads, writes, written) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(vec![]));
        let read = |chunk: &Chunk, rooms: &mut [&mut [u8]]| {
            for (room, value) in rooms.iter_mut().zip(1..) {
                assert_eq!(room.len() as u64, 4 * chunk.instances);
                room.fill(value);
            }
            if reads.fetch_add(1, Ordering::Relaxed) == bad_read { Err(Mine::Reader) } else { Ok(()) }
        };
        let write = |chunk: &Chunk, results: &[&[u8]], _: &[u32]| {
            assert!(results.len() == 1 && results[0].iter().all(|&byte| byte == 3));
            written.lock().unwrap().push(chunk.first..chunk.first + chunk.instances);
            if writes.fetch_add(1, Ordering::Relaxed) == bad_write { Err(Mine::Writer) } else { Ok(()) }
        };
        let station = Station { allowance: 36 * 128, ..station(&gpu.0, &kernel) };
        let ended = stream(&[station], Operands::Read(&read), Results::Write(&write), 10_000);
        let mut written = written.into_inner().unwrap();
        written.sort_by_key(|range| range.start);
        (ended.map(|streamed| streamed.marked), written)
    };
    let (ended, written) = run(usize::MAX, usize::MAX);
    assert_eq!(ended, Ok(vec![]));
    assert_eq!((written[0].start, written[written.len() - 1].end), (0, 10_000));
    assert!(written.windows(2).all(|pair| pair[0].end == pair[1].start), "{written:?}");
    assert!(written.len() > 50, "{}", written.len());
    assert_eq!(run(7, usize::MAX).0, Err(Mine::Reader));
    assert_eq!(run(usize::MAX, 7).0, Err(Mine::Writer));
}

/// All devices of the machine, each with the kernel.
fn all() -> Vec<(Device, LoadedProgram)> {
    let compiler = Compiler::from_environment().unwrap();
    let open = |ordinal| {
        let device = Device::open(ordinal).unwrap();
        let kernel = device.load_kernel(&compiler, &add(), words()).unwrap();
        (device, kernel)
    };
    (0..devices().unwrap().len()).map(open).collect()
}

#[needs(gpu, nvrtc)]
#[test]
fn several_devices_share_a_batch() {
    let all = all();
    let station = |(device, kernel)| Station { allowance: 12 * 2 * 20_000, ..station(device, kernel) };
    let stations: Vec<_> = all.iter().map(|(device, kernel)| station((device, kernel))).collect();
    let [a, b, sum] = batch(N);
    let mut result = vec![0xAA; 4 * N];
    let operands = [HostBatch::new(&a), HostBatch::new(&b)];
    let results = Results::Memory(vec![HostResult::new(&mut result)]);
    let streamed = stream::<GpuError>(&stations, Operands::Memory(&operands), results, N as u64);
    // Of the made-up driver's devices some fail, and the last one that is left computes everything.
    let failing = std::env::var("FAKE_FAIL").is_ok();
    if failing && stations.len() == 1 {
        assert!(matches!(streamed, Err(GpuError::Driver { code: 719, .. })), "{streamed:?}");
        return;
    }
    let streamed = streamed.unwrap();
    assert!(result == sum && streamed.marked.is_empty());
    let lost: Vec<_> = streamed.lost.iter().map(|(place, _)| *place).collect();
    assert_eq!(lost, if failing { vec![1] } else { vec![] });
}

/// Chunks that each device has computed, ascending. A device has one lane, which is a thread.
fn shares(all: &[(Device, LoadedProgram)], chunks: u64) -> Vec<u64> {
    let station = |(device, kernel)| Station { allowance: 12 * 2 * OF_CHUNK, ..station(device, kernel) };
    let stations: Vec<_> = all.iter().map(|(device, kernel)| station((device, kernel))).collect();
    let of_threads = Mutex::new(HashMap::new());
    let read = |_: &Chunk, rooms: &mut [&mut [u8]]| {
        rooms.iter_mut().for_each(|room| room.fill(1));
        Ok(())
    };
    let write = |chunk: &Chunk, _: &[&[u8]], _: &[u32]| {
        assert_eq!(chunk.instances, OF_CHUNK);
        *of_threads.lock().unwrap().entry(thread::current().id()).or_insert(0) += 1;
        Ok::<(), GpuError>(())
    };
    let (operands, results) = (Operands::Read(&read), Results::Write(&write));
    assert!(stream(&stations, operands, results, chunks * OF_CHUNK).unwrap().lost.is_empty());
    let mut shares: Vec<u64> = of_threads.into_inner().unwrap().into_values().collect();
    assert_eq!((shares.len(), shares.iter().sum()), (all.len(), chunks));
    shares.sort_unstable();
    shares
}

/// Instances of a chunk.
const OF_CHUNK: u64 = 100;

/// A device that takes twice as long computes half as much, within two percent of the exact share.
#[ignore = "on_a_made_up_driver runs it"]
#[test]
fn shares_are_as_fast_as_the_devices() {
    let all = all();
    let times_as_slow: f64 = std::env::var("FAKE_CLOCK").map_or(1.0, |clock| clock.parse().unwrap());
    let rates: Vec<f64> = (0..all.len()).map(|i| if i == 0 { 1.0 / times_as_slow } else { 1.0 }).collect();
    let (chunks, rate) = (400 * all.len() as u64, rates.iter().sum::<f64>());
    let shares = shares(&all, chunks);
    for (&share, of_one) in shares.iter().zip(&rates) {
        let exact = chunks as f64 * of_one / rate;
        assert!((share as f64 / exact - 1.0).abs() <= 0.02, "{exact} of {shares:?}");
    }
}
