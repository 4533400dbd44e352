//! Expressions as one kernel, of any mapping.

use limbforge_algos::expr::random::Size;
use limbforge_algos::expr::{Dag, Expr};
use limbforge_kernels_gen::{InputSpec, KernelSpec, LimbKind, Mapping, SpecError};
use limbforge_limb::{Base, IntType, Layout};
use limbforge_testing::expr;
use proptest::prelude::*;

use crate::harness::one_kernel;

use super::Case;
use super::subject::{Expression, Subject};

/// A kernel to be made.
#[derive(Clone, Debug)]
pub(crate) struct KernelCase {
    /// One or several, with results of one type.
    pub(crate) expressions: Vec<Expr>,
    pub(crate) ty: IntType,
    /// For every variable that there may be.
    pub(crate) layouts: [Layout; 3],
    pub(crate) broadcast: [bool; 3],
    pub(crate) output: Layout,
    /// Q and IPB, or the planned mapping.
    pub(crate) threads: Option<(u32, u32)>,
    /// Two runs to a thread where an instance has whole warps.
    pub(crate) two_runs: bool,
}

pub(crate) fn layout() -> impl Strategy<Value = Layout> + Clone {
    prop_oneof![2 => Just(Layout::InstanceMajor), 1 => Just(Layout::Interleaved)]
}

/// Narrow types are as likely as wide ones, and so are the neighbours of whole words.
fn ty() -> impl Strategy<Value = IntType> {
    let near_words =
        (1_u64..=78, -1_i64..=1).prop_map(|(words, delta)| (32 * words).saturating_add_signed(delta));
    let bits = prop_oneof![2 => 1_u64..=200, 3 => 1_u64..=2500, 2 => near_words];
    (bits, any::<bool>()).prop_map(|(bits, signed)| IntType::new(bits, signed).unwrap())
}

/// Slow operations in narrow types only: the emulator takes a thousand times as long as a GPU.
pub(crate) fn expression(ty: IntType) -> BoxedStrategy<Expr> {
    let slow = u32::from(ty.bits() <= 200);
    expr::expression_of(ty, Size { slow, ..Size::default() })
}

pub(crate) fn case() -> impl Strategy<Value = KernelCase> {
    case_of(|ty| expression(ty).prop_map(|expression| vec![expression]).boxed())
}

/// Several expressions, the last of which may be an operand, or take the first.
pub(crate) fn several() -> impl Strategy<Value = KernelCase> {
    case_of(|ty| {
        let narrow = set(ty).prop_map(|mut set| {
            set.retain(|expr| !expr.to_dag().is_wide());
            set.push(Expr::input("b"));
            set
        });
        narrow.boxed()
    })
}

/// Two to four expressions.
pub(crate) fn set(ty: IntType) -> impl Strategy<Value = Vec<Expr>> {
    let size = Size { operations: 5, slow: u32::from(ty.bits() <= 200), ..Size::default() };
    (proptest::collection::vec(expr::expression_of(ty, size), 2..=3), 0..5_u8).prop_map(|(mut set, more)| {
        let (first, a, b) = (set[0].clone(), Expr::input("a"), Expr::input("b"));
        let is_wide = first.to_dag().is_wide();
        match more {
            0 => set.extend([&a / &b, a % b]),
            1 => set.push(a),
            2 if !is_wide => set.push(first / b),
            3 if !is_wide => set.push(first + b),
            _ => {}
        }
        set
    })
}

fn case_of<S: Strategy<Value = Vec<Expr>> + 'static>(
    expressions: impl Fn(IntType) -> S,
) -> impl Strategy<Value = KernelCase> {
    let threads =
        prop_oneof![2 => Just(None), 3 => (1..=6_u32, 1..=5_u32).prop_map(Some), 2 => Just(Some((1, 1)))];
    let places =
        ([layout(), layout(), layout()], proptest::array::uniform3(proptest::bool::weighted(0.2)), layout());
    (ty().prop_flat_map(move |ty| (Just(ty), expressions(ty))), places, threads, any::<bool>()).prop_map(
        |((ty, expressions), (layouts, broadcast, output), threads, two_runs)| KernelCase {
            expressions,
            ty,
            layouts,
            broadcast,
            output,
            threads,
            two_runs,
        },
    )
}

/// Sums over instances of two warps or more, one limb to a thread: every carry that ripples crosses lanes,
/// runs and warps.
pub(crate) fn sum_over_warps<B: Base>() -> impl Strategy<Value = KernelCase> {
    let texts = vec!["a + b", "a - b", "-a - b", "a + b + a", "(a - b) - (b - a)"];
    let expression = proptest::sample::select(texts).prop_map(|text| Expr::parse(text).unwrap());
    let bits = (33 * u64::from(B::BITS)..=130 * u64::from(B::BITS), any::<bool>());
    let ty = bits.prop_map(|(bits, signed)| IntType::new(bits, signed).unwrap());
    (expression, ty, layout(), layout(), 1..=2_u32, any::<bool>()).prop_map(
        |(expression, ty, inputs, output, ipb, two_runs)| KernelCase {
            expressions: vec![expression],
            ty,
            layouts: [inputs; 3],
            broadcast: [false; 3],
            output,
            threads: Some((1, ipb)),
            two_runs,
        },
    )
}

impl Case for KernelCase {
    fn subject<B: Base>(&self) -> Result<Subject, SpecError> {
        let (dag, ty) = (Dag::of_all(&self.expressions), self.ty);
        let (output, limb) = (self.output, LimbKind::of::<B>());
        let input = |(i, name): (usize, &str)| InputSpec::integers(name, self.layouts[i], self.broadcast[i]);
        let inputs: Vec<InputSpec> = dag.inputs().enumerate().map(input).collect();
        let mut mapping = match self.threads {
            None => Mapping::plan(&dag, ty, limb, &self.layouts),
            Some((q, ipb)) => Mapping::from_limbs_per_thread(&dag, ty, limb, q, ipb)?,
        };
        let within_warp = dag.nodes().iter().any(|node| node.op.is_within_warp());
        if self.two_runs && mapping.lanes == 32 && !within_warp {
            (mapping.runs, mapping.warps) = (2, mapping.warps.div_ceil(2));
        }
        Subject::new(Expression { dag: dag.clone(), ty, inputs: inputs.clone(), output }, |target| {
            let spec = KernelSpec::new(dag.clone(), ty, limb, inputs.clone(), output, mapping, target)?;
            Ok(one_kernel(spec))
        })
    }
}
