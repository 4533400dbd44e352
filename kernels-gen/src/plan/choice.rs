//! The product that a program uses, and its mapping.

use super::estimate::Estimate;
use super::planner::Planner;
use crate::error::SpecError;
use crate::newton::DivNewton;
use crate::pipeline::{Product, ProductMapping, Program, ProgramSpec, build_with, is_product};
use crate::resources::Limits;

/// A way to compute an expression's products.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// How.
    pub product: Product,
    /// The mapping that was measured to be faster than the planned one on the user's GPU, if one was.
    pub mapping: Option<ProductMapping>,
    /// Whether [`Product::Auto`] takes it.
    pub is_chosen: bool,
    /// The kernels, or why there are none.
    pub program: Result<Program, SpecError>,
    /// What it takes for 2^32 bits of each operand by the shipped times; None without products, and where nothing like it was
    /// measured.
    pub shipped: Option<Estimate>,
    /// The same by the user's measurements as far as they go: what is chosen by.
    pub estimate: Option<Estimate>,
}

impl Candidate {
    /// What it takes for 2^32 bits of each operand, as far as is known.
    #[must_use]
    pub fn milliseconds(&self) -> Option<f64> {
        self.estimate.map(|estimate| estimate.milliseconds)
    }

    /// The same if it was measured on the user's own device, or goes back to such a time.
    #[must_use]
    pub fn tuned_ms(&self) -> Option<f64> {
        self.milliseconds().filter(|_| self.estimate != self.shipped)
    }
}

impl Program {
    /// The kernels for a specification, on a device with these limits, with [`Product::Auto`] as on an H200.
    ///
    /// # Errors
    /// [`SpecError`] if the specification contradicts itself or no kernel fits the device.
    pub fn new(spec: &ProgramSpec, limits: &Limits) -> Result<Self, SpecError> {
        Self::planned(spec, limits, &Planner::default())
    }

    /// The same with [`Product::Auto`] as the planner chooses.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn planned(spec: &ProgramSpec, limits: &Limits, planner: &Planner) -> Result<Self, SpecError> {
        Self::with_divisions(spec, limits, planner, DivNewton::default())
    }

    /// The same with divisions by `div_newton` as `newton` says.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_divisions(
        spec: &ProgramSpec,
        limits: &Limits,
        planner: &Planner,
        newton: DivNewton,
    ) -> Result<Self, SpecError> {
        match spec.product {
            Product::Auto => choose(spec, limits, planner, newton),
            product => best_of(spec, limits, planner, product, newton).program,
        }
    }

    /// All ways to compute the products of a specification, whose own [`product`](ProgramSpec::product) does not matter, on a
    /// device with these limits; the one way of an expression without products.
    ///
    /// # Errors
    /// [`SpecError`] if the expression has no kernel whatever computes its products.
    pub fn candidates(
        spec: &ProgramSpec,
        limits: &Limits,
        planner: &Planner,
    ) -> Result<Vec<Candidate>, SpecError> {
        candidates(spec, limits, planner)
    }

    /// The kernels for a specification with this mapping in place of what is planned, and of what was measured.
    ///
    /// # Errors
    /// [`SpecError::Unmapped`] for a mapping of another product than the specification's or of kernels that have none, the error
    /// that names the number or the resource if it does not fit, and those of [`new`](Self::new).
    pub fn with_mapping(
        spec: &ProgramSpec,
        limits: &Limits,
        mapping: ProductMapping,
    ) -> Result<Self, SpecError> {
        match spec.product {
            product if product != Product::Auto && product != mapping.product() => {
                Err(SpecError::Unmapped { mapping, product })
            }
            _ => mapped(spec, limits, mapping, DivNewton::default()),
        }
    }

    /// All mappings of a specification's kernels by this product that fit a device with these limits, the planned one first; none of
    /// kernels that have nothing to choose.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn mappings(
        spec: &ProgramSpec,
        limits: &Limits,
        product: Product,
    ) -> Result<Vec<(ProductMapping, Self)>, SpecError> {
        mappings(spec, limits, product)
    }
}

/// The products of an expression that has some.
const PRODUCTS: [Product; 3] = [Product::Classical, Product::Tensor, Product::Ntt];

fn has_products(spec: &ProgramSpec) -> bool {
    spec.dag.nodes().iter().any(|node| is_product(&node.op))
}

/// The kernels of a product.
struct Best {
    product: Product,
    /// The measured mapping, if not the planned one.
    mapping: Option<ProductMapping>,
    program: Result<Program, SpecError>,
}

/// With the mapping that was measured to be the fastest, else with the planned one.
fn best_of(
    spec: &ProgramSpec,
    limits: &Limits,
    planner: &Planner,
    product: Product,
    newton: DivNewton,
) -> Best {
    if let Some(mapping) = planner.fastest_mapping(spec, product)
        && let Ok(program) = mapped(spec, limits, mapping, newton)
    {
        return Best { product, mapping: Some(mapping), program: Ok(program) };
    }
    Best { product, mapping: None, program: build_with(spec, limits, product, None, newton) }
}

/// With a mapping that fits.
fn mapped(
    spec: &ProgramSpec,
    limits: &Limits,
    mapping: ProductMapping,
    newton: DivNewton,
) -> Result<Program, SpecError> {
    mapping.check()?;
    let program = build_with(spec, limits, mapping.product(), Some(mapping), newton)?;
    program.check(limits)?;
    match program.mapping() {
        Some(found) if found.product() == mapping.product() => Ok(program),
        _ => Err(SpecError::Unmapped { mapping, product: mapping.product() }),
    }
}

/// See [`Program::mappings`].
fn mappings(
    spec: &ProgramSpec,
    limits: &Limits,
    product: Product,
) -> Result<Vec<(ProductMapping, Program)>, SpecError> {
    let newton = DivNewton::default();
    let planned = build_with(spec, limits, product, None, newton)?;
    planned.check(limits)?;
    let Some(mapping) = planned.mapping() else { return Ok(vec![]) };
    let mut all = vec![(mapping, planned)];
    for other in mapping.others() {
        // One that does not fit is none; numbers that are rounded alike are the same.
        let Ok(program) = mapped(spec, limits, other, newton) else { continue };
        if program.mapping() == Some(other) && all.iter().all(|(known, _)| *known != other) {
            all.push((other, program));
        }
    }
    Ok(all)
}

/// Programs with what they take, the first of the fastest first; those without an estimate last.
fn by_time(spec: &ProgramSpec, limits: &Limits, planner: &Planner, newton: DivNewton) -> Vec<Best> {
    let mut all: Vec<(f64, Best)> = PRODUCTS
        .into_iter()
        .map(|product| {
            let best = best_of(spec, limits, planner, product, newton);
            let program = best.program.as_ref().ok();
            let estimate = program.and_then(|program| planner.estimate(spec, product, program));
            (estimate.map_or(f64::INFINITY, |estimate| estimate.milliseconds), best)
        })
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all.into_iter().map(|(_, best)| best).collect()
}

/// The program for [`Product::Auto`]: the fastest one that fits the device; if none does, the one whose products would be the
/// fastest, so that the caller learns what does not fit.
fn choose(
    spec: &ProgramSpec,
    limits: &Limits,
    planner: &Planner,
    newton: DivNewton,
) -> Result<Program, SpecError> {
    if !has_products(spec) {
        return best_of(spec, limits, planner, Product::Classical, newton).program;
    }
    let mut all = by_time(spec, limits, planner, newton);
    let fits = |best: &Best| best.program.as_ref().is_ok_and(|program| program.check(limits).is_ok());
    let fitting = all.iter().position(fits);
    all.swap_remove(fitting.unwrap_or(0)).program
}

/// See [`Program::candidates`].
fn candidates(spec: &ProgramSpec, limits: &Limits, planner: &Planner) -> Result<Vec<Candidate>, SpecError> {
    let newton = DivNewton::default();
    spec.dag.result_type(spec.ty)?;
    let all = if has_products(spec) {
        by_time(spec, limits, planner, newton)
    } else {
        vec![best_of(spec, limits, planner, Product::Classical, newton)]
    };
    let mut is_first = true;
    let mut candidates = vec![];
    for Best { product, mapping, program } in all {
        // A program that does not fit the device is none.
        let program = program.and_then(|program| program.check(limits).map(|()| program));
        let ok = program.as_ref().ok();
        candidates.push(Candidate {
            product,
            mapping,
            is_chosen: is_first && ok.is_some(),
            shipped: ok.and_then(|program| planner.shipped_estimate(spec, product, program)),
            estimate: ok.and_then(|program| planner.estimate(spec, product, program)),
            program,
        });
        is_first &= candidates.last().is_none_or(|candidate| !candidate.is_chosen);
    }
    if let Some(first) = candidates.first_mut().filter(|_| is_first) {
        first.is_chosen = true;
    }
    Ok(candidates)
}
