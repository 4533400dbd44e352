//! One way to test kernels: built once, run in several orders of their threads, compared with num-bigint and
//! the CPU backend, values and failures.

pub(crate) mod device;
mod expected;
mod operands;
mod specs;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use limbforge_algos::expr::Dag;
use limbforge_emulate::{Check, Compiler, Emulated, Schedule};
use limbforge_kernels_gen::{
    InputSpec, Kernel, KernelSpec, Launch, Program, ProgramKernel, ProgramSpec, Sink, Source,
};
use limbforge_limb::{Base, Batch, IntType, Layout};
use num_bigint::BigUint;

pub(crate) use self::device::{Device, Left};
pub(crate) use self::operands::{drawn_batch, instance_major, random_batches, random_runner};
pub(crate) use self::specs::{planned, words_to_lane};

/// The kernel as a program of this machine. The same text is compiled once for all runs of all tests: what
/// was compiled is kept in cargo's target folder.
pub(crate) fn built(kernel: &Kernel) -> Emulated {
    built_with(kernel, Check::Guards)
}

pub(crate) fn built_with(kernel: &Kernel, check: Check) -> Emulated {
    static COMPILER: LazyLock<Compiler> = LazyLock::new(|| Compiler::find().unwrap());
    Emulated::build_with(&COMPILER, kernel, check).unwrap_or_else(|error| panic!("{error}"))
}

/// An expression, and the kernels that compute it one after the other.
pub(crate) struct Subject {
    pub(crate) dag: Dag,
    pub(crate) ty: IntType,
    pub(crate) inputs: Vec<InputSpec>,
    pub(crate) output: Layout,
    pub(crate) device: Device,
}

impl Subject {
    /// The expression as one kernel.
    pub(crate) fn kernel(spec: KernelSpec) -> Self {
        let (dag, ty, inputs, output) = (spec.dag.clone(), spec.ty, spec.inputs.clone(), spec.output);
        Self { device: Device::new(one_kernel(spec)).unwrap(), dag, ty, inputs, output }
    }

    /// As planned for a device or otherwise.
    pub(crate) fn program(spec: &ProgramSpec, program: Program) -> Self {
        let (dag, ty, inputs, output) = (spec.dag.clone(), spec.ty, spec.inputs.clone(), spec.output);
        Self { device: Device::new(program).unwrap(), dag, ty, inputs, output }
    }

    /// How it is called in reports.
    fn name(&self) -> String {
        let kernels: Vec<String> = self.device.program.kernels.iter().map(ToString::to_string).collect();
        format!("{} of {}: {}", self.dag, self.ty, kernels.join("; "))
    }
}

/// The program of one kernel.
pub(crate) fn one_kernel(spec: KernelSpec) -> Program {
    let words = spec.limb.instance_words(spec.ty).into();
    let (inputs, result_words) = (spec.inputs.len(), spec.result_words().into());
    let results = spec.dag.roots().len();
    let mut program =
        one_launch(ProgramKernel::Expression(Box::new(spec)), vec![words; inputs], result_words);
    program.result_words = vec![result_words; results];
    program.launches[0].outputs = (0..results).map(Sink::Result).collect();
    program
}

/// A program of one kernel that reads the operands and leaves the result.
pub(crate) fn one_launch(kernel: ProgramKernel, input_words: Vec<u64>, result_words: u64) -> Program {
    let inputs = (0..input_words.len()).map(Source::Input).collect();
    Program {
        kernels: vec![kernel],
        launches: vec![Launch { kernel: 0, inputs, outputs: vec![Sink::Result(0)], repeats: 1 }],
        buffers: vec![],
        uniforms: vec![],
        tables: vec![],
        chunk: u64::MAX,
        group: 1,
        input_words,
        result_words: vec![result_words],
    }
}

/// Runs the subject on N instances in each order of threads, and compares every value and every failure of
/// each of its expressions.
pub(crate) fn check<B: Base>(subject: &Subject, operands: &[Batch<B>], n: usize, schedules: &[Schedule]) {
    let dags = subject.dag.roots().iter().map(|&root| subject.dag.restrict(&[root]).0);
    let expected: Vec<(Dag, Vec<Option<BigUint>>)> =
        dags.map(|dag| (dag.clone(), expected::results(subject, &dag, operands, n))).collect();
    let words: Vec<Vec<u32>> =
        operands.iter().map(|batch| bytemuck::cast_slice(batch.limbs()).to_vec()).collect();
    for &schedule in schedules {
        let Left { results, marks, .. } = subject.device.run(&words, &[n], schedule);
        for (root, ((dag, expected), result)) in expected.iter().zip(results).enumerate() {
            let name = || format!("{}: result {root} of {n} instances, {schedule:?}", subject.name());
            let failing: BTreeSet<usize> = (0..n).filter(|&i| expected[i].is_none()).collect();
            let marked = marks.iter().filter(|(_, lacks)| **lacks >> root & 1 == 1).map(|(i, _)| *i);
            assert_eq!(marked.collect::<BTreeSet<usize>>(), failing, "{}: failing instances", name());
            let ty = dag.result_type(subject.ty).unwrap();
            let mut found = Batch::<B>::zeros(ty, subject.output, n).unwrap();
            bytemuck::cast_slice_mut::<B, u32>(found.limbs_mut()).copy_from_slice(&result);
            for (i, (found, expected)) in found.to_biguints().iter().zip(expected).enumerate() {
                let Some(expected) = expected else { continue };
                if found != expected {
                    let of_instance = operands
                        .iter()
                        .map(|batch| batch.instance(i.min(batch.instances() - 1)))
                        .collect::<Vec<_>>();
                    panic!(
                        "{}: instance {i}, operands {of_instance:x?}:\nexpected {expected:#x}\n   found {found:#x}",
                        name()
                    );
                }
            }
        }
    }
}
