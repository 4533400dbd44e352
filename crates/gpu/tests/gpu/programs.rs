//! Programs whose only kernel is `add`: launches with repeats, uniform buffers, and two buffers by turns, in
//! chunks.

use limbforge_gpu::{Compiler, Device, GpuError, LoadedProgram};
use limbforge_kernels_gen::{Kernel, Launch, Program, Sink, Source, Table};
use limbforge_needs::needs;

use super::{add, gpu};

/// 2 (a + b) + 10, of two words for each instance, in chunks of four instances.
fn program() -> Program {
    use Source::{Buffer, Input, Uniform};
    let launch = |inputs: [Source; 2], output, repeats| Launch {
        kernel: 0,
        inputs: inputs.to_vec(),
        outputs: vec![output],
        repeats,
    };
    let ten = Uniform { buffer: 0, first: 0, words: 8 };
    Program {
        kernels: vec![add().into()],
        launches: vec![
            launch([Source::Table(0); 2], Sink::Uniform(0), 8),
            launch([Input(0), Input(1)], Sink::Buffer(0), 2),
            launch([Buffer(0); 2], Sink::Buffer(1), 2),
            launch([Buffer(1), ten], Sink::Result(0), 2),
        ],
        tables: vec![Table::Words(vec![5; 8])],
        buffers: vec![2, 2],
        uniforms: vec![8],
        chunk: 4,
        group: 1,
        input_words: vec![2, 2],
        result_words: vec![2],
    }
}

fn load(gpu: &(Device, Compiler), program: &Program) -> Result<LoadedProgram, GpuError> {
    gpu.0.load_program(&gpu.1, program, &[add()])
}

/// Operands and the result of N instances.
fn batch(n: usize) -> [Vec<u32>; 3] {
    let a: Vec<u32> = (0..2 * n as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    let b: Vec<u32> = a.iter().map(|a| a.rotate_left(9) ^ 77).collect();
    let result = |(a, b): (&u32, &u32)| a.wrapping_add(*b).wrapping_mul(2).wrapping_add(10);
    let results = a.iter().zip(&b).map(result).collect();
    [a, b, results]
}

#[needs(gpu, nvrtc)]
#[test]
fn repeats_and_uniform_buffers_in_chunks() {
    let gpu = gpu();
    let (device, loaded) = (&gpu.0, load(&gpu, &program()).unwrap());
    let scratch = device.scratch(&loaded, 4001).unwrap();
    for n in [0, 1, 4, 5, 11, 4001] {
        let [a, b, expected] = batch(n);
        let (a, b) = (device.upload(&a).unwrap(), device.upload(&b).unwrap());
        let mut output = device.alloc(8 * n as u64 + 8).unwrap();
        output.fill(0xEE).unwrap();
        device.run_program(&loaded, &[&a, &b], &scratch, &mut output, n as u64).unwrap();
        device.synchronize().unwrap();
        let mut found = vec![0_u32; 2 * n + 2];
        output.copy_to(&mut found).unwrap();
        assert!(found[..2 * n] == expected && found[2 * n..] == [0xEEEE_EEEE; 2], "{n}");
        let times = device.time_launches(&loaded, &[&a, &b], &scratch, &mut output, n as u64).unwrap();
        assert_eq!((times.len(), times[0] > 0.0), (4, n > 0));
    }
    assert_eq!(loaded.kernels().count(), 4);
}

#[needs(gpu, nvrtc)]
#[test]
fn programs_stream() {
    let gpu = gpu();
    let loaded = load(&gpu, &program()).unwrap();
    // 24 bytes of batches, 16 between launches, and 32 of a uniform buffer.
    for (allowance, n) in [(144, 9), (216, 50), (3 * 72 * 50, 1001), (1 << 30, 1001), (72, 1), (1 << 30, 0)] {
        let [a, b, expected] = batch(n);
        let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let mut result = vec![0xAA; 8 * n];
        let inputs = [bytes(&a), bytes(&b)];
        let inputs = [&*inputs[0], &*inputs[1]];
        let marked = gpu.0.stream_slices(&loaded, &inputs, &mut result, n as u64, allowance).unwrap();
        assert!(marked.is_empty() && result == bytes(&expected), "{allowance} {n}");
    }
}

#[needs(gpu, nvrtc)]
#[test]
fn wrong_programs_are_errors() {
    let gpu = gpu();
    let changed = |change: fn(&mut Program)| {
        let mut program = program();
        change(&mut program);
        load(&gpu, &program).map(drop)
    };
    let refused = changed(|program| {
        let _ = program.launches[1].inputs.pop();
    });
    assert!(matches!(refused, Err(GpuError::Inputs { expected: 2, found: 1, .. })), "{refused:?}");
    let refused = changed(|program| program.launches[2].kernel = 1);
    assert_eq!(refused, Err(GpuError::Kernels { expected: 2, found: 1 }));
    let refused = gpu.0.load_program(&gpu.1, &program(), &[add(), add()]).map(drop);
    assert_eq!(refused, Err(GpuError::Kernels { expected: 1, found: 2 }));
    let marking = Kernel { marks: true, ..add() };
    let refused = gpu.0.load_program(&gpu.1, &program(), &[marking]).map(drop);
    assert!(matches!(refused, Err(GpuError::Marks { .. })), "{refused:?}");

    let device = &gpu.0;
    let whole = load(&gpu, &Program { chunk: u64::MAX, ..program() }).unwrap();
    let scratch = device.scratch(&whole, 3).unwrap();
    let (a, mut out) = (device.alloc(8 * 11).unwrap(), device.alloc(8 * 11).unwrap());
    let refused = device.run_program(&whole, &[&a, &a], &scratch, &mut out, 4);
    assert_eq!(refused, Err(GpuError::Size { what: "the scratch".to_owned(), expected: 96, found: 80 }));
    assert_eq!(device.run_program(&whole, &[&a, &a], &scratch, &mut out, 3), Ok(()));
}
