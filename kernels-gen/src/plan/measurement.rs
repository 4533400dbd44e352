//! A measured time, and which expression it is of.

use std::fmt::Write as _;

use limbforge_algos::expr::{Dag, Expr, Op, ParseExprError};
use limbforge_limb::{IntType, WidthError};
use serde::{Deserialize, Serialize};

use crate::pipeline::{Product, ProductMapping};
use crate::spec::LimbKind;

/// How long an expression was measured to take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The expression; names of operands do not matter.
    pub expression: String,
    /// Width of its unsigned integers.
    pub bits: u32,
    /// The limb of the batches.
    pub limb: LimbKind,
    /// How products were computed; not [`Product::Auto`].
    pub product: Product,
    /// The mapping of the kernels; None for the planned one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mapping: Option<ProductMapping>,
    /// Milliseconds, scaled to a batch of 2^32 bits of each operand; positive.
    pub ms: f64,
}

/// A measurement that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasurementError {
    /// Its expression is none.
    #[error("`{expression}`: {source}")]
    Expression {
        /// The text.
        expression: String,
        /// What is wrong with it.
        source: Box<ParseExprError>,
    },
    /// Its width is none.
    #[error(transparent)]
    Width(#[from] WidthError),
    /// Its time is not positive.
    #[error("`{expression}` of {bits} bits: expected a positive number of milliseconds, found {found}")]
    Time {
        /// The expression.
        expression: String,
        /// Its width.
        bits: u32,
        /// The time, as text.
        found: String,
    },
    /// Its mapping is of other kernels.
    #[error("`{expression}` of {bits} bits: the mapping `{mapping}` is not one of {product} products")]
    Mapping {
        /// The expression.
        expression: String,
        /// Its width.
        bits: u32,
        /// The mapping.
        mapping: ProductMapping,
        /// How its products were computed.
        product: Product,
    },
    /// It does not say how products were computed.
    #[error("`{expression}` of {bits} bits: expected the product classical, ntt or tensor, found auto")]
    Product {
        /// The expression.
        expression: String,
        /// Its width.
        bits: u32,
    },
}

impl Measurement {
    /// The expression's graph.
    ///
    /// # Errors
    /// [`MeasurementError`] for anything that is wrong with the measurement.
    pub fn check(&self) -> Result<Dag, MeasurementError> {
        let Self { expression, bits, product, ms, .. } = self;
        let (expression, bits) = (expression.clone(), *bits);
        IntType::unsigned(bits.into())?;
        if !(ms.is_finite() && *ms > 0.0) {
            return Err(MeasurementError::Time { expression, bits, found: ms.to_string() });
        }
        if *product == Product::Auto {
            return Err(MeasurementError::Product { expression, bits });
        }
        if let Some(mapping) = self.mapping.filter(|mapping| mapping.product() != *product) {
            return Err(MeasurementError::Mapping { expression, bits, mapping, product: *product });
        }
        match Expr::parse(&expression) {
            Ok(parsed) => Ok(parsed.to_dag()),
            Err(error) => Err(MeasurementError::Expression { expression, source: error.into() }),
        }
    }

    /// Whether another one is of the same case, so that it takes this one's place. An expression that is none
    /// is only itself.
    #[must_use]
    pub fn is_of_same_case(&self, other: &Self) -> bool {
        let key = |it: &Self| (it.bits, it.limb, it.product, it.mapping);
        let same = || match (self.check(), other.check()) {
            (Ok(ours), Ok(theirs)) => shape(&ours) == shape(&theirs),
            _ => self.expression == other.expression,
        };
        key(self) == key(other) && same()
    }
}

/// The graph as text, operands by number: equal for expressions that differ in names alone.
pub(super) fn shape(dag: &Dag) -> String {
    let mut inputs = 0;
    let mut text = String::new();
    for node in dag.nodes() {
        // Writing to a string does not fail.
        let _ = match &node.op {
            Op::Input(_) => {
                inputs += 1;
                write!(text, "input {inputs}; ")
            }
            _ => write!(text, "{node}; "),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape_of(text: &str) -> String {
        shape(&Expr::parse(text).unwrap().to_dag())
    }

    #[test]
    fn names_do_not_matter() {
        assert_eq!(shape_of("a*b + c"), shape_of("x*y + a"));
        assert_eq!(shape_of("a*b"), shape_of("b*a"));
        assert_eq!(shape_of("sqr(a)"), shape_of("b*b"));
        assert_ne!(shape_of("a*a"), shape_of("a*b"));
        assert_ne!(shape_of("a*b + a"), shape_of("a*b + c"));
    }

    #[test]
    fn what_cannot_be_is_named() {
        let good = Measurement {
            expression: "a * b".into(),
            bits: 512,
            limb: LimbKind::of::<u64>(),
            product: Product::Ntt,
            mapping: None,
            ms: 1.5,
        };
        assert!(good.check().is_ok());
        let error = |change: fn(&mut Measurement)| {
            let mut bad = good.clone();
            change(&mut bad);
            bad.check().unwrap_err().to_string()
        };
        assert!(error(|m| m.ms = f64::NAN).contains("positive number of milliseconds, found NaN"));
        assert!(error(|m| m.ms = -1.0).contains("found -1"));
        assert!(error(|m| m.bits = 0).contains("0 bits") || error(|m| m.bits = 0).contains('0'));
        assert!(error(|m| m.product = Product::Auto).contains("found auto"));
        let columns = |m: &mut Measurement| m.mapping = "words=16 instances=8".parse().ok();
        assert!(error(columns).ends_with("the mapping `words=16 instances=8` is not one of ntt products"));
        assert!(error(|m| m.expression = "a *".into()).starts_with("`a *`: column 4: expected"));
    }

    #[test]
    fn as_json_and_back() {
        let text = r#"{"expression":"a * b","bits":512,"limb":"u64","product":"ntt","ms":1.5}"#;
        let read: Measurement = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        assert!(serde_json::from_str::<Measurement>(&text.replace("u64", "u8")).is_err());
        let mapped = text.replace("\"ms\"", r#""mapping":"threads=64 instances=2","ms""#);
        let mapped: Measurement = serde_json::from_str(&mapped).unwrap();
        assert!(mapped.mapping == "threads=64 instances=2".parse().ok() && !mapped.is_of_same_case(&read));
        assert!(
            serde_json::from_str::<Measurement>(&text.replace("\"ms\"", r#""mapping":"x=1","ms""#)).is_err()
        );
    }
}
