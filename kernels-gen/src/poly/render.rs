//! What all kernels of polynomials are rendered with.

use limbforge_field::modular::pow_mod;
use minijinja::context;

use crate::ntt::ResidueClass;
use crate::spec::SpecError;
use crate::template::Template;
pub(super) use crate::template::render_source;

const POLY: &str = include_str!("../../templates/poly.cuh");

/// Inverses.
pub(super) const INVERSE: &str = Template::PolyInverse.text();

/// Residues in [0, p), which exist for every odd prime, and sums of products of them.
pub(super) fn common_templates(p: u64) -> Result<Vec<String>, SpecError> {
    let class = if p >> 32 == 0 { ResidueClass::Full32 } else { ResidueClass::Full64 };
    // A factor is held times R.
    let r = pow_mod(2, class.word_bits().into(), p);
    let values = context! { prime => class.prime_text(p), r_squared => class.factor_text(r, p) };
    Ok(vec![class.template().text().to_owned(), render_source(POLY, values)?])
}
