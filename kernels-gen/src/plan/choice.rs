//! The product of a program, and its mapping.

use super::estimate::Estimate;
use super::planner::Planner;
use crate::kernel::newton::DivNewton;
use crate::pipeline::{Program, ProgramSpec, build_with, is_product};
use crate::spec::{Limits, Product, ProductMapping, SpecError};

/// The products of an expression that has some.
const PRODUCTS: [Product; 3] = [Product::Classical, Product::Tensor, Product::Ntt];

/// A way to compute an expression's products.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The product.
    pub product: Product,
    /// The mapping that was faster than the planned one on the user's GPU, if one was.
    pub mapping: Option<ProductMapping>,
    /// Whether [`Product::Auto`] takes it.
    pub is_chosen: bool,
    /// The kernels, or why there are none.
    pub program: Result<Program, SpecError>,
    /// The time for 2^32 bits of each operand by the shipped measurements; None without products, and where
    /// nothing similar was measured.
    pub shipped_estimate: Option<Estimate>,
    /// The same by the user's measurements as far as they go: the choice is by this time.
    pub estimate: Option<Estimate>,
}

impl Candidate {
    /// The time for 2^32 bits of each operand, if it is known.
    #[must_use]
    pub fn milliseconds(&self) -> Option<f64> {
        self.estimate.map(|estimate| estimate.milliseconds)
    }

    /// The same if it goes back to a measurement on the user's own device.
    #[must_use]
    pub fn tuned_ms(&self) -> Option<f64> {
        self.milliseconds().filter(|_| self.estimate != self.shipped_estimate)
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
        let asked = Asked { spec, limits, newton };
        if spec.product != Product::Auto {
            return asked.best_of(planner, spec.product).program;
        }
        let mut all = asked.by_time(planner);
        // If none fits the device, the caller learns why the fastest one does not.
        all.swap_remove(asked.chosen(&all)).program
    }

    /// All ways to compute the products of a specification, the fastest first, whatever its own
    /// [`product`](ProgramSpec::product); the one way of an expression without products.
    ///
    /// # Errors
    /// [`SpecError`] if the expression has no kernel whatever computes its products.
    pub fn candidates(
        spec: &ProgramSpec,
        limits: &Limits,
        planner: &Planner,
    ) -> Result<Vec<Candidate>, SpecError> {
        spec.dag.result_type(spec.ty)?;
        let asked = Asked { spec, limits, newton: DivNewton::default() };
        let all = asked.by_time(planner);
        let chosen = asked.chosen(&all);
        let candidate = |(i, Best { product, mapping, program })| {
            let program: Result<Self, _> =
                program.and_then(|program: Self| program.check(limits).map(|()| program));
            let ok = program.as_ref().ok();
            let shipped_estimate = ok.and_then(|program| planner.shipped_estimate(spec, product, program));
            let estimate = ok.and_then(|program| planner.estimate(spec, product, program));
            Candidate { product, mapping, is_chosen: i == chosen, shipped_estimate, estimate, program }
        };
        Ok(all.into_iter().enumerate().map(candidate).collect())
    }

    /// The kernels for a specification with this mapping in place of the planned or measured one.
    ///
    /// # Errors
    /// [`SpecError::Unmapped`] for a mapping of another product than the specification's or of kernels that
    /// have none, the error that names the number or the resource if it does not fit, and those of
    /// [`new`](Self::new).
    pub fn with_mapping(
        spec: &ProgramSpec,
        limits: &Limits,
        mapping: ProductMapping,
    ) -> Result<Self, SpecError> {
        match spec.product {
            product if product != Product::Auto && product != mapping.product() => {
                Err(SpecError::Unmapped { mapping, product })
            }
            _ => Asked { spec, limits, newton: DivNewton::default() }.mapped(mapping),
        }
    }

    /// All mappings of a specification's kernels by this product that fit a device with these limits, the
    /// planned one first; none of kernels that have nothing to choose.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn mappings(
        spec: &ProgramSpec,
        limits: &Limits,
        product: Product,
    ) -> Result<Vec<(ProductMapping, Self)>, SpecError> {
        let asked = Asked { spec, limits, newton: DivNewton::default() };
        let planned = build_with(spec, limits, product, None, asked.newton)?;
        planned.check(limits)?;
        let Some(mapping) = planned.mapping() else { return Ok(vec![]) };
        let mut all = vec![(mapping, planned)];
        for other in mapping.others() {
            // One that does not fit is none; numbers that are rounded alike are the same.
            let Ok(program) = asked.mapped(other) else { continue };
            if program.mapping() == Some(other) && all.iter().all(|(known, _)| *known != other) {
                all.push((other, program));
            }
        }
        Ok(all)
    }
}

/// A specification whose kernels are wanted.
struct Asked<'a> {
    spec: &'a ProgramSpec,
    limits: &'a Limits,
    newton: DivNewton,
}

/// The kernels of a product.
struct Best {
    product: Product,
    /// The measured mapping, if not the planned one.
    mapping: Option<ProductMapping>,
    program: Result<Program, SpecError>,
}

impl Asked<'_> {
    /// With a mapping that fits.
    fn mapped(&self, mapping: ProductMapping) -> Result<Program, SpecError> {
        mapping.check()?;
        let product = mapping.product();
        let program = build_with(self.spec, self.limits, product, Some(mapping), self.newton)?;
        program.check(self.limits)?;
        match program.mapping() {
            Some(found) if found.product() == product => Ok(program),
            _ => Err(SpecError::Unmapped { mapping, product }),
        }
    }

    /// With the mapping that was measured to be the fastest, else with the planned one.
    fn best_of(&self, planner: &Planner, product: Product) -> Best {
        if let Some(mapping) = planner.fastest_mapping(self.spec, product)
            && let Ok(program) = self.mapped(mapping)
        {
            return Best { product, mapping: Some(mapping), program: Ok(program) };
        }
        let program = build_with(self.spec, self.limits, product, None, self.newton);
        Best { product, mapping: None, program }
    }

    /// All products, the fastest first, those without an estimate last; one of an expression without
    /// products.
    fn by_time(&self, planner: &Planner) -> Vec<Best> {
        if !self.spec.dag.nodes().iter().any(|node| is_product(&node.op)) {
            return vec![self.best_of(planner, Product::Classical)];
        }
        let mut all = PRODUCTS.map(|product| {
            let best = self.best_of(planner, product);
            let program = best.program.as_ref().ok();
            let estimate = program.and_then(|program| planner.estimate(self.spec, product, program));
            (estimate.map_or(f64::INFINITY, |estimate| estimate.milliseconds), best)
        });
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.map(|(_, best)| best).into()
    }

    /// The first one that fits the device; the first one if none does.
    fn chosen(&self, all: &[Best]) -> usize {
        let fits =
            |best: &Best| best.program.as_ref().is_ok_and(|program| program.check(self.limits).is_ok());
        all.iter().position(fits).unwrap_or(0)
    }
}
