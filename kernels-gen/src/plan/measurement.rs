//! A measured time of an expression.

use limbforge_algos::expr::{Dag, Expr, Op, ParseExprError};
use limbforge_limb::{IntType, WidthError};
use serde::{Deserialize, Serialize};

use crate::pipeline::{Product, ProductMapping};
use crate::spec::LimbKind;

/// The measured time of an expression.
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

/// An impossible measurement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasurementError {
    /// The expression cannot be parsed.
    #[error("`{expression}`: {source}")]
    Expression {
        /// The text.
        expression: String,
        /// The reason.
        source: Box<ParseExprError>,
    },
    /// There are no integers of this width.
    #[error(transparent)]
    Width(#[from] WidthError),
    /// The time is not positive.
    #[error("{of}: expected a positive number of milliseconds, found {found}")]
    Time {
        /// The expression and its width.
        of: String,
        /// The time, as text.
        found: String,
    },
    /// The mapping is of other kernels.
    #[error("{of}: the mapping `{mapping}` is not one of {product} products")]
    Mapping {
        /// The expression and its width.
        of: String,
        /// The mapping.
        mapping: ProductMapping,
        /// How its products were computed.
        product: Product,
    },
    /// The measurement does not say how products were computed.
    #[error("{of}: expected the product classical, ntt or tensor, found auto")]
    Product {
        /// The expression and its width.
        of: String,
    },
}

impl Measurement {
    /// The expression's graph.
    ///
    /// # Errors
    /// [`MeasurementError`] for anything that is wrong with the measurement.
    pub fn check(&self) -> Result<Dag, MeasurementError> {
        let Self { expression, bits, product, ms, .. } = self;
        let (of, product) = (format!("`{expression}` of {bits} bits"), *product);
        IntType::unsigned(u64::from(*bits))?;
        if !(ms.is_finite() && *ms > 0.0) {
            return Err(MeasurementError::Time { of, found: ms.to_string() });
        }
        if product == Product::Auto {
            return Err(MeasurementError::Product { of });
        }
        if let Some(mapping) = self.mapping.filter(|mapping| mapping.product() != product) {
            return Err(MeasurementError::Mapping { of, mapping, product });
        }
        let refused = |error: ParseExprError| MeasurementError::Expression {
            expression: expression.clone(),
            source: error.into(),
        };
        Ok(Expr::parse(expression).map_err(refused)?.to_dag())
    }

    /// Whether another measurement is of the same case; invalid expressions are compared as texts.
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

/// The expressions that share times, which differ in names alone, and how their products are computed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    shape: String,
    pub(super) product: Product,
}

impl Key {
    pub(super) fn new(dag: &Dag, product: Product) -> Self {
        Self { shape: shape(dag), product }
    }
}

/// The graph as text, with operands by number: equal for expressions that differ in names alone.
fn shape(dag: &Dag) -> String {
    let mut inputs = 0;
    let mut text = String::new();
    for node in dag.nodes() {
        if matches!(node.op, Op::Input(_)) {
            inputs += 1;
            text += &format!("input {inputs}; ");
        } else {
            text += &format!("{node}; ");
        }
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
