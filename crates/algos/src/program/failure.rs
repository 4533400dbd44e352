//! Failures of instances in words.

use super::state::ProgramFailure;
use super::text::place;
use crate::expr::Report;
use crate::op::Why;

impl ProgramFailure {
    /// The reason, with its mark: `no inverse, as there is a common divisor with the modulus (NOINVERSE)`.
    #[must_use]
    pub fn reason(&self) -> String {
        let reason = match self.why {
            Why::DivisionByZero => "division by zero",
            Why::ZeroModulus => "the modulus is not positive",
            Why::NegativeExponent => "the exponent is negative",
            Why::NotDivisible => "the exact division leaves a remainder",
            Why::Negative => "the square root of a negative number",
            Why::NoInverse => "no inverse, as there is a common divisor with the modulus",
            Why::EvenNumber => "no inverse modulo a power of two, as the number is even",
            Why::EvenModulus => "the modulus is even",
            Why::LongQuotient => "the quotient has more bits than its type",
            Why::NoDegree => "the degree of the root is not positive",
            Why::Limit => "the loop needs more rounds than its limit",
            Why::Require => "the condition does not hold",
            Why::Index => "the index lies outside its array",
        };
        format!("{reason} ({})", self.why.mark())
    }

    /// Line and column of the place in the text of the program, in characters from 1.
    #[must_use]
    pub fn place(&self, text: &str) -> (usize, usize) {
        place(text, self.span)
    }

    /// The failure with its line of the text of the program. Instances are counted from 0.
    #[must_use]
    pub fn report(&self, text: &str) -> Report {
        let range = self.span.start as usize..self.span.end as usize;
        Report::new(format!("instance {}: {}", self.instance, self.reason()), text, range, String::new())
    }
}
