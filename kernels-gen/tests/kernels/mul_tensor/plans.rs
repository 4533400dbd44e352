//! Which plans there are, and what is refused.

use limbforge_kernels_gen::ntt::ProductForm;
use limbforge_kernels_gen::tensor::{MulTensorSpec, Phases, TensorPlan, render_mul_tensor};
use limbforge_kernels_gen::{Limits, SpecError};
use limbforge_limb::Layout;

use super::{U32, by_warpgroup, spec, unsigned};

#[test]
fn what_a_warpgroup_multiplies() {
    let plan = |words, form, limits| TensorPlan::new(words, form, limits).unwrap();
    for (words, expected) in
        [(1024, false), (1484, false), (1488, true), (1532, true), (1535, false), (1540, false), (2048, true)]
    {
        assert_eq!(plan(words, ProductForm::Low, &Limits::SM_90A).warpgroup, expected, "{words}");
    }
    assert!(!plan(2048, ProductForm::Wide, &Limits::SM_90A).warpgroup);
    let square = TensorPlan::for_phases(2048, &Phases::product(1), &Limits::SM_90A).unwrap();
    assert!(square.squaring.squares && !square.warpgroup);
    let spec = by_warpgroup(unsigned(65_536), U32);
    assert!(matches!(render_mul_tensor(&spec, &Limits::SM_90), Err(SpecError::Mapping { .. })));
    assert_eq!(spec.plan.to_string(), "64@16g4v4/4of4*1x2");
}

#[test]
fn what_there_is_no_kernel_for() {
    let refused = |words, limits| TensorPlan::new(words, ProductForm::Low, limits).unwrap_err();
    assert!(matches!(refused(16, &Limits { matrices: false, ..Limits::SM_75 }), SpecError::Matrices));
    assert!(matches!(refused(8257, &Limits::SM_90), SpecError::Digits(_)));
    assert!(matches!(refused(8256, &Limits::SM_86), SpecError::SharedMemory { .. }));
    let mut wrong = spec(unsigned(1000), U32, false);
    wrong.ty = unsigned(2000);
    wrong.result = wrong.ty;
    assert!(matches!(render_mul_tensor(&wrong, &Limits::SM_90), Err(SpecError::Width { .. })));
    wrong.ty = unsigned(1000);
    assert!(matches!(render_mul_tensor(&wrong, &Limits::SM_90), Err(SpecError::Width { .. })));
    wrong.result = wrong.ty;
    wrong.inputs[1].layout = Layout::Interleaved;
    assert!(matches!(render_mul_tensor(&wrong, &Limits::SM_90), Err(SpecError::Mapping { .. })));
    // Of a product there is no lower half alone, and less than half a number is none; all of it is.
    let square = spec(unsigned(1000), U32, true);
    for (half, refused) in [(12, true), (14, true), (16, false), (32, false), (36, true)] {
        let mut plan = square.plan;
        plan.squaring.half = half;
        let found = render_mul_tensor(&MulTensorSpec { plan, ..square.clone() }, &Limits::SM_90);
        assert_eq!(
            matches!(found, Err(SpecError::Mapping { found, .. }) if found == half),
            refused,
            "{half}"
        );
    }
    let product = MulTensorSpec { plan: square.plan, ..spec(unsigned(1000), U32, false) };
    assert!(matches!(render_mul_tensor(&product, &Limits::SM_90), Err(SpecError::Mapping { found: 16, .. })));
}
