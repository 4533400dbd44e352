//! The transforms of a product, and the proof that they are exact.

use std::fmt;

use limbforge_kernels_gen::ntt::{Addend, DIGIT_BITS, Destination, ProductPlan};
use limbforge_kernels_gen::{Program, ProgramKernel, Sink, Source};
use serde_json::{Value, json};

/// The transforms of a kernel, and the largest of its coefficients.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Transforms {
    plan: ProductPlan,
    /// The most products of integers that any coefficient sums up.
    terms: u32,
}

impl Transforms {
    /// The transforms of each kernel; None for those of other kinds.
    pub(super) fn of(program: &Program) -> Vec<Option<Self>> {
        // The products in the transformed sum that each buffer holds.
        let mut spectra = vec![0; program.buffers.len()];
        let transforms = program.launches.iter().map(|launch| {
            let ProgramKernel::MulNtt(spec) = program.kernel(launch) else { return None };
            let (mut terms, mut sum, mut spectrum) = (0, 0, 0);
            for product in spec.steps.iter().flat_map(|step| &step.results) {
                let addend = |addend: &Addend| match addend {
                    Addend::Sum => sum,
                    Addend::Spectrum(input) => match launch.inputs.get(*input) {
                        Some(Source::Buffer(buffer)) => spectra[*buffer],
                        _ => 0,
                    },
                };
                let count = 1 + product.addends.iter().map(addend).sum::<u32>();
                match product.to {
                    Destination::Sum => sum = count,
                    Destination::Spectrum => spectrum = count,
                    Destination::Residues => {}
                }
                terms = terms.max(count);
            }
            if let [Sink::Buffer(buffer)] = launch.outputs[..] {
                spectra[buffer] = spectrum;
            }
            Some(Self { plan: spec.plan.clone(), terms })
        });
        transforms.collect()
    }

    /// The log2 of the primes' product over the largest coefficient, `terms * digits * (2^64 - 1)^2`.
    pub(super) fn spare_bits(&self) -> f64 {
        let product: f64 = self.plan.primes.primes().iter().map(|&p| f64::from(p).log2()).sum();
        let products = f64::from(self.terms) * f64::from(self.plan.digits);
        product - f64::from(2 * DIGIT_BITS) - products.log2()
    }

    pub(super) fn to_json(&self) -> Value {
        let plan = &self.plan;
        json!({
            "digit_bits": DIGIT_BITS,
            "digits": plan.digits,
            "digit_sums": plan.out_digits,
            "points": plan.points(),
            "passes": plan.radices,
            "rows": plan.rows,
            "primes": plan.primes.primes(),
            "threads": plan.threads,
            "instances": plan.instances,
            "terms": self.terms,
            "spare_bits": self.spare_bits(),
        })
    }
}

impl fmt::Display for Transforms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProductPlan { digits, radices: [outer, middle, inner], rows, threads, .. } = &self.plan;
        let of_rows = if rows < outer { format!(" ({rows} rows of them)") } else { String::new() };
        let (points, primes) = (self.plan.points(), self.plan.primes.primes());
        writeln!(
            f,
            "transforms: {points} points in passes of {outer}{of_rows}, {middle} and {inner}, {threads} threads each, modulo {} primes: {primes:?}",
            primes.len()
        )?;
        // Rounded down: never more than there are.
        let spare = (self.spare_bits() * 1e3).floor() / 1e3;
        write!(
            f,
            "digits: {digits} of {DIGIT_BITS} bits; sums of {} * {digits} products of digits leave {spare:.3} bits below the product of the primes",
            self.terms
        )
    }
}

#[cfg(test)]
mod tests {
    use limbforge::prelude::*;
    use limbforge_kernels_gen::{InputSpec, LimbKind, Limits, Product, Program, ProgramSpec, Target};
    use num_bigint::BigUint;

    use super::*;

    fn transforms(text: &str, bits: u64) -> Vec<Transforms> {
        let dag = Expr::parse(text).unwrap().to_dag();
        let layout = Layout::InstanceMajor;
        let inputs = dag.inputs().map(|name| InputSpec::integers(name, layout, false)).collect();
        let (ty, limb) = (IntType::unsigned(bits).unwrap(), LimbKind::of::<u64>());
        let spec = ProgramSpec {
            dag,
            ty,
            limb,
            inputs,
            output: layout,
            product: Product::Ntt,
            target: Target::Cuda,
        };
        Transforms::of(&Program::new(&spec, &Limits::SM_90).unwrap()).into_iter().flatten().collect()
    }

    #[test]
    fn terms_are_those_of_the_whole_sum() {
        let terms =
            |text| transforms(text, 512).iter().map(|transforms| transforms.terms).collect::<Vec<_>>();
        assert_eq!(terms("a*b"), [1]);
        assert_eq!(terms("a*b + c*d"), [2]);
        assert_eq!(terms("a*b + c*d + e*f"), [3]);
        // The first kernel leaves one product transformed, the second adds the other.
        assert_eq!(terms("(a*a + b)*(b*b + b) + a*b"), [1, 2]);
        assert_eq!(terms("a*b ^ c*d"), [1, 1]);
    }

    #[test]
    fn the_spare_bits_are_those_of_exact_numbers() {
        for (text, bits) in
            [("a*b", 512), ("a*b + c*d", 1 << 14), ("mul_wide(a, b)", 100_000), ("a*b", 1 << 20)]
        {
            for transforms in transforms(text, bits) {
                let digit = (BigUint::from(1u32) << DIGIT_BITS) - 1u32;
                let digits = bits.div_ceil(DIGIT_BITS.into());
                let largest = &digit * &digit * transforms.terms * digits;
                let product = transforms.plan.primes.product();
                assert!(largest < product);
                // floor(2^20 P / S) = 2^(20 + spare bits), to 20 bits.
                let ratio: u64 = ((product << 20_u32) / largest).try_into().unwrap();
                let expected = (ratio as f64).log2() - 20.0;
                assert!((transforms.spare_bits() - expected).abs() < 1e-5, "{text} {bits}: {transforms}");
            }
        }
    }
}
