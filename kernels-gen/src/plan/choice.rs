//! The product of a program, and its mapping.

use super::{estimate::Estimate, planner::Planner};
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
    /// The mapping, if one was faster than the planned one on the user's GPU.
    pub mapping: Option<ProductMapping>,
    /// Whether [`Product::Auto`] takes it.
    pub is_chosen: bool,
    /// The kernels, or why there are none.
    pub program: Result<Program, SpecError>,
    /// The time for 2^32 bits of each operand by shipped measurements, if any of something similar.
    pub shipped_estimate: Option<Estimate>,
    /// The same by the user's measurements as far as they go. It decides the choice.
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

    /// The same with these options of divisions by `div_newton`.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_divisions(
        spec: &ProgramSpec,
        limits: &Limits,
        planner: &Planner,
        newton: DivNewton,
    ) -> Result<Self, SpecError> {
        if spec.product != Product::Auto {
            return spec.best_of(limits, planner, spec.product, newton).1;
        }
        // If none fits the device, the error is that of the fastest one.
        let mut all = spec.by_time(limits, planner, newton);
        let chosen = all.iter().position(|candidate| candidate.is_chosen).unwrap_or(0);
        all.swap_remove(chosen).program
    }

    /// All ways to compute the products of a specification, the fastest first, whatever its own
    /// [`product`](ProgramSpec::product); the one way of an expression without products.
    ///
    /// # Errors
    /// [`SpecError`] if the expression has no kernel by any product.
    pub fn candidates(
        spec: &ProgramSpec,
        limits: &Limits,
        planner: &Planner,
    ) -> Result<Vec<Candidate>, SpecError> {
        spec.dag.result_type(spec.ty)?;
        let mut all = spec.by_time(limits, planner, DivNewton::default());
        for Candidate { program, estimate, shipped_estimate, .. } in &mut all {
            if let Ok(Err(error)) = program.as_ref().map(|program| program.check(limits)) {
                *program = Err(error);
            }
            if program.is_err() {
                (*estimate, *shipped_estimate) = (None, None);
            }
        }
        Ok(all)
    }

    /// The kernels for a specification with this mapping in place of the planned or measured one.
    ///
    /// # Errors
    /// [`SpecError::Unmapped`] for a mapping of another product or of kernels without one, the error that
    /// names what does not fit, and those of [`new`](Self::new).
    pub fn with_mapping(
        spec: &ProgramSpec,
        limits: &Limits,
        mapping: ProductMapping,
    ) -> Result<Self, SpecError> {
        match spec.product {
            product if product != Product::Auto && product != mapping.product() => {
                Err(SpecError::Unmapped { mapping, product })
            }
            _ => spec.mapped(limits, mapping, DivNewton::default()),
        }
    }
}

impl ProgramSpec {
    /// The kernels with a mapping, which has to fit.
    pub(super) fn mapped(
        &self,
        limits: &Limits,
        mapping: ProductMapping,
        newton: DivNewton,
    ) -> Result<Program, SpecError> {
        mapping.check()?;
        let product = mapping.product();
        let program = build_with(self, limits, product, Some(mapping), newton)?;
        program.check(limits)?;
        match program.mapping() {
            Some(found) if found.product() == product => Ok(program),
            _ => Err(SpecError::Unmapped { mapping, product }),
        }
    }

    /// The kernels with the mapping that was measured to be the fastest, else with the planned one.
    fn best_of(
        &self,
        limits: &Limits,
        planner: &Planner,
        product: Product,
        newton: DivNewton,
    ) -> (Option<ProductMapping>, Result<Program, SpecError>) {
        if let Some(mapping) = planner.fastest_mapping(self, product)
            && let Ok(program) = self.mapped(limits, mapping, newton)
        {
            return (Some(mapping), Ok(program));
        }
        (None, build_with(self, limits, product, None, newton))
    }

    /// All products, the fastest first, those without an estimate last. The first one that fits is chosen.
    fn by_time(&self, limits: &Limits, planner: &Planner, newton: DivNewton) -> Vec<Candidate> {
        let has_products = self.dag.nodes().iter().any(|node| is_product(&node.op));
        let products = if has_products { &PRODUCTS[..] } else { &[Product::Classical] };
        let candidate = |&product: &Product| {
            let (mapping, program) = self.best_of(limits, planner, product, newton);
            let built = program.as_ref().ok();
            let shipped_estimate = built.and_then(|built| planner.shipped_estimate(self, product, built));
            let estimate = built.and_then(|built| planner.estimate(self, product, built));
            Candidate { product, mapping, is_chosen: false, program, shipped_estimate, estimate }
        };
        let mut all: Vec<Candidate> = products.iter().map(candidate).collect();
        let ms = |candidate: &Candidate| candidate.milliseconds().unwrap_or(f64::INFINITY);
        all.sort_by(|a, b| ms(a).total_cmp(&ms(b)));
        let fits = |one: &Candidate| one.program.as_ref().is_ok_and(|program| program.check(limits).is_ok());
        let chosen = all.iter().position(fits).unwrap_or(0);
        all[chosen].is_chosen = true;
        all
    }
}
