//! Expressions over integers, by one kernel or by several.

use limbforge::algos::expr::{Dag, Expr, Op};
use limbforge::limb::{IntType, Layout};
use limbforge_kernels_gen::{
    KernelSpec, Launch, Limits, Product, Program, ProgramKernel, Sink, Source, SpecError,
};

use super::{Case, CliError, Task};
use crate::{args::LimbArgument, gpu_commands::selftest::types::int_type};
use limbforge_cli::gpu::{kernels::Threads, kernels::kernel_spec, kernels::program_spec, operands::Places};

/// Products by transforms and on tensor cores run on every supported GPU up to this width.
const WIDEST_EVERYWHERE: u32 = 1 << 16;

/// Expressions with the same operations, and so the same templates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) expression: &'static str,
    /// Whether results depend on the sign.
    pub(super) signs: bool,
}

impl Family {
    pub(super) fn dag(&self) -> Result<Dag, CliError> {
        Ok(Expr::parse(self.expression)?.to_dag())
    }

    /// The case with integers of this width, with a sign or without, and of this limb.
    pub(super) fn case(
        &self,
        (bits, is_signed): (u32, bool),
        limb: LimbArgument,
        method: Method,
        places: Places,
    ) -> Result<Case, CliError> {
        let (dag, ty) = (self.dag()?, int_type(bits, is_signed)?);
        let algorithm = match method {
            Method::Transforms => "ntt",
            Method::Tensor => "tensor",
            Method::Rns => "rns",
            Method::Fold => "fold",
            Method::Kernel(_) if has(&dag, Op::is_product) => "classical",
            Method::Kernel(_) => "-",
        };
        let how = match method {
            Method::Kernel(Threads::Planned) => "planned".to_owned(),
            Method::Kernel(Threads::Limbs(q, ipb)) => format!("q={q} ipb={ipb}"),
            Method::Transforms | Method::Tensor | Method::Rns | Method::Fold => algorithm.to_owned(),
        };
        let layout = |layout| if layout == Layout::Interleaved { "interleaved" } else { "major" };
        let (inputs, output) = (layout(places.inputs), layout(places.output));
        let broadcast = if places.broadcast_last { " broadcast" } else { "" };
        Ok(Case {
            name: format!("{} {} {ty} {how} {inputs}-{output}{broadcast}", self.name, limb.name()),
            key: [self.name, limb.name(), algorithm],
            size: bits,
            task: Task::Evaluation(Evaluation { dag, ty, limb, method, places }),
        })
    }
}

/// Whether an expression has one of these operations.
pub(crate) fn has(dag: &Dag, is: impl Fn(&Op) -> bool) -> bool {
    dag.nodes().iter().any(|node| is(&node.op))
}

/// How an expression is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// By one kernel with these threads.
    Kernel(Threads),
    /// By several kernels, with products by transforms.
    Transforms,
    /// By several kernels, with products on tensor cores.
    Tensor,
    /// By several kernels, with powers in residue number systems.
    Rns,
    /// By several kernels, with powers modulo one number by folds.
    Fold,
}

/// An expression over integers of one type.
#[derive(Clone, Debug)]
pub(crate) struct Evaluation {
    pub(crate) dag: Dag,
    pub(crate) ty: IntType,
    pub(crate) limb: LimbArgument,
    pub(crate) method: Method,
    pub(crate) places: Places,
}

impl Evaluation {
    pub(super) fn program(&self, limits: &Limits) -> Result<Program, CliError> {
        let product = match self.method {
            Method::Tensor => Product::Tensor,
            Method::Rns => Product::Rns,
            Method::Fold => Product::Fold,
            Method::Transforms | Method::Kernel(_) => Product::Ntt,
        };
        let mut spec = program_spec(self.dag.clone(), product, self.ty, self.limb);
        let Places { inputs, output, broadcast_last } = self.places;
        for input in &mut spec.inputs {
            input.layout = inputs;
        }
        if let [_, .., last] = &mut *spec.inputs {
            last.broadcast = broadcast_last;
        }
        spec.output = output;
        Ok(match self.method {
            Method::Kernel(threads) => single(kernel_spec(spec, threads)?),
            Method::Transforms | Method::Tensor | Method::Fold => Program::new(&spec, limits)?,
            // As on a device on which the shortest list of a test of primality pays.
            Method::Rns => Program::new(&spec, &Limits { multiprocessors: 0, ..*limits })?,
        })
    }

    /// Whether an unplanned mapping, very wide integers or the lack of matrix instructions explain the error.
    pub(super) fn may_refuse(&self, error: &SpecError) -> bool {
        let is_wide = self.ty.bits() > WIDEST_EVERYWHERE;
        let is_demanding = match self.method {
            Method::Kernel(threads) => threads != Threads::Planned,
            Method::Transforms => is_wide,
            // The rows of a round may be more than the shared memory of a smaller GPU.
            Method::Rns | Method::Fold => true,
            // Without matrix instructions a single warp computes each wide division.
            Method::Tensor => is_wide || has(&self.dag, Op::is_within_warp),
        };
        match error {
            SpecError::Matrices => matches!(self.method, Method::Tensor | Method::Rns | Method::Fold),
            SpecError::Registers { .. }
            | SpecError::Threads { .. }
            | SpecError::SharedMemory { .. }
            | SpecError::Warp { .. } => is_demanding,
            _ => false,
        }
    }
}

/// The program of one kernel.
fn single(spec: KernelSpec) -> Program {
    let words = u64::from(spec.words());
    Program {
        input_words: spec.inputs.iter().map(|input| if input.broadcast { 0 } else { words }).collect(),
        result_words: vec![spec.result_words().into()],
        launches: vec![Launch {
            kernel: 0,
            inputs: (0..spec.inputs.len()).map(Source::Input).collect(),
            outputs: vec![Sink::Result(0)],
            repeats: 1,
        }],
        kernels: vec![ProgramKernel::from(spec)],
        tables: vec![],
        buffers: vec![],
        uniforms: vec![],
        chunk: u64::MAX,
        group: 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_of_several_operands_is_broadcast() {
        let program = |expression| {
            let family = Family { name: "", expression, signs: false };
            let places = Places { broadcast_last: true, ..Places::default() };
            let method = Method::Kernel(Threads::Limbs(1, 3));
            let case = family.case((131, false), LimbArgument::U64, method, places).unwrap();
            case.program(&Limits::SM_90).unwrap()
        };
        assert_eq!(program("a + b - c").input_words, [6, 6, 0]);
        assert_eq!(program("-a").input_words, [6]);
        let kernels = program("a").render(&Limits::SM_90).unwrap();
        assert_eq!((kernels.len(), kernels[0].geometry.instances), (1, 3));
    }
}
