//! Expressions as programs of one or several kernels, as an engine plans them.

use limbforge_algos::expr::{Dag, Expr};
use limbforge_kernels_gen::newton::DivNewton;
use limbforge_kernels_gen::{InputSpec, LimbKind, Limits, Planner, Product, Program, ProgramSpec, SpecError};
use limbforge_limb::{Base, IntType, Layout};
use proptest::prelude::*;

use super::Case;
use super::kernel::{expression, layout, set};
use super::subject::{Expression, Subject};

/// Divisions by an inverse from the narrowest width on, in several steps.
const SHORT_DIVISIONS: DivNewton = DivNewton {
    from_bits: 0,
    seed_words: 4,
    transforms_from: [u32::MAX; 2],
    cyclic_from: u32::MAX,
    tiles_from: 0,
};

/// A program to be made.
#[derive(Clone, Debug)]
pub(crate) struct ProgramCase {
    /// One or several.
    pub(crate) expressions: Vec<Expr>,
    pub(crate) ty: IntType,
    pub(crate) layout: Layout,
    pub(crate) broadcast: [bool; 3],
    pub(crate) product: Product,
    /// Whether divisions are by an inverse, which otherwise only those of wide integers are.
    pub(crate) by_inverse: bool,
}

pub(crate) fn case() -> impl Strategy<Value = ProgramCase> {
    case_of(|ty| expression(ty).prop_map(|expression| vec![expression]).boxed())
}

/// Several expressions in one program.
pub(crate) fn several() -> impl Strategy<Value = ProgramCase> {
    case_of(|ty| set(ty).boxed())
}

fn case_of<S: Strategy<Value = Vec<Expr>> + 'static>(
    expressions: impl Fn(IntType) -> S,
) -> impl Strategy<Value = ProgramCase> {
    let bits = prop_oneof![1_u64..=300, 500_u64..=700, 1_u64..=2500];
    let ty = (bits, any::<bool>()).prop_map(|(bits, signed)| IntType::new(bits, signed).unwrap());
    let product = proptest::sample::select(vec![
        Product::Auto,
        Product::Auto,
        Product::Tensor,
        Product::Ntt,
        Product::Classical,
    ]);
    let broadcast = proptest::array::uniform3(proptest::bool::weighted(0.2));
    let of_type = ty.prop_flat_map(move |ty| (Just(ty), expressions(ty)));
    (of_type, layout(), broadcast, product, proptest::bool::weighted(0.3)).prop_map(
        |((ty, expressions), layout, broadcast, product, by_inverse)| ProgramCase {
            expressions,
            ty,
            layout,
            broadcast,
            product,
            by_inverse,
        },
    )
}

impl Case for ProgramCase {
    fn subject<B: Base>(&self) -> Result<Subject, SpecError> {
        let (dag, ty, output) = (Dag::of_all(&self.expressions), self.ty, self.layout);
        let input = |(i, name): (usize, &str)| InputSpec::integers(name, self.layout, self.broadcast[i]);
        let inputs: Vec<InputSpec> = dag.inputs().enumerate().map(input).collect();
        let (limb, planner) = (LimbKind::of::<B>(), Planner::default());
        let newton = if self.by_inverse { SHORT_DIVISIONS } else { DivNewton::default() };
        let expression = Expression { dag: dag.clone(), ty, inputs: inputs.clone(), output };
        Subject::new(expression, |target| {
            let (dag, inputs, product) = (dag.clone(), inputs.clone(), self.product);
            let spec = ProgramSpec { dag, ty, limb, inputs, output, product, target };
            Program::with_divisions(&spec, &Limits::SM_90, &planner, newton)
        })
    }
}
