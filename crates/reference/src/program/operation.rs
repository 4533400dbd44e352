//! Operations of the table on values of any type.

use limbforge_algos::op::{Domain, Flag, Op, Operation, Outcome};
use limbforge_algos::program::text::syntax::Span;
use limbforge_testing::expr;
use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::class::{Class, int};
use super::exact;
use super::residue::power;
use super::value::{Value, elementwise};
use super::{Run, Stopped};

impl Run<'_> {
    /// An operation, elementwise.
    pub(super) fn operation(
        &mut self,
        row: Option<&'static Operation>,
        operands: &[Value],
        place: Span,
    ) -> Result<Value, Stopped> {
        let row = row.unwrap_or_else(|| panic!("expected a row of the table at {place:?}"));
        elementwise(operands, &mut |operands| self.of_numbers(row, operands, place))
    }

    fn of_numbers(&mut self, row: &Operation, operands: &[Value], place: Span) -> Result<Value, Stopped> {
        let Some(op) = &row.op else { return self.power(&operands[0], &operands[1], place) };
        if operands.iter().any(|operand| operand.ring().is_some()) {
            return self.residues(row, operands, place);
        }
        let mut operands = operands.to_vec();
        if row.has(Flag::Swapped) {
            operands.reverse();
        }
        if operands.iter().all(Value::is_exact)
            && let Some(value) = exact::operation(op, &operands, place)
        {
            return value;
        }
        if let ([Value::Bool(a), Value::Bool(b)], Op::Eq | Op::Ne) = (&operands[..], op) {
            return Ok(Value::Bool(a.zip(*b).map(|(a, b)| (a == b) == (*op == Op::Eq))));
        }
        self.integers(row, op, &operands, place)
    }

    /// Operands that are values meet in one type; amounts are exact numbers.
    fn integers(
        &mut self,
        row: &Operation,
        op: &Op,
        operands: &[Value],
        place: Span,
    ) -> Result<Value, Stopped> {
        let is_shift = matches!(op, Op::ShlBy | Op::ShrBy);
        let count = row.domains.iter().filter(|domain| **domain != Domain::Amount).count();
        let (values, amounts) = operands.split_at(count);
        let of_values = self.meeting(values, None);
        let class = match of_values {
            None if is_shift => None,
            class => self
                .meeting(amounts, if is_shift { None } else { class.clone() })
                .filter(|_| !is_shift)
                .or(class),
        };
        let class = class.unwrap_or_else(|| self.common(&[], place));
        let values: Vec<Value> =
            values.iter().map(|value| self.as_class(value, &class, place)).collect::<Result<_, _>>()?;
        let numbers: Option<Vec<BigInt>> = values.iter().chain(amounts).map(Value::number).collect();
        let ty = match (self.classes.known(&class), row.result) {
            (Class::Int(ty), _) => ty,
            (Class::Open(_), Outcome::Wide) => int(64, true),
            (class, _) => return Ok(result_of(row, class)),
        };
        let result = match row.result {
            Outcome::Wide => Class::Int(int(2 * u64::from(ty.bits()), ty.is_signed())),
            _ => Class::Int(ty),
        };
        let Some(numbers) = numbers.filter(|_| !self.is_survey()) else { return Ok(result_of(row, result)) };
        let number = expr::operation(op, &numbers.iter().collect::<Vec<_>>(), ty)
            .map_err(|why| Stopped { mark: why.mark(), place })?;
        Ok(match row.result {
            Outcome::Truth => Value::Bool(Some(!number.is_zero())),
            _ => Value::Number(result, Some(number)),
        })
    }

    /// The class of those values that have one.
    fn meeting(&mut self, values: &[Value], class: Option<Class>) -> Option<Class> {
        let typed = |value: &&Value| matches!(value, Value::Number(..));
        let values: Vec<Value> = values.iter().filter(typed).cloned().collect();
        let (Some(Value::Number(first, _)), place) = (values.first(), Span::default()) else { return class };
        let class = class.unwrap_or_else(|| first.clone());
        Some(self.common_of(&values, Some(class), place))
    }

    /// `a ** k`
    fn power(&mut self, a: &Value, k: &Value, place: Span) -> Result<Value, Stopped> {
        let number = match a {
            Value::Number(Class::Residue(ring), x) => {
                let number = match (x, k.number(), &ring.number) {
                    (Some(x), Some(e), Some(n)) => Some(power(x, &e, n, place)?),
                    _ => None,
                };
                return Ok(Value::Number(Class::Residue(ring.clone()), number));
            }
            Value::Exact(a) => return Ok(Value::Exact(exact::power(a, &k.constant()))),
            a => a.number().filter(|_| !self.is_survey()),
        };
        let class = self.common(core::slice::from_ref(a), place);
        let (Some(number), Class::Int(ty)) = (number, &class) else { return Ok(Value::Number(class, None)) };
        let power = number.modpow(&k.constant(), &(BigInt::one() << ty.bits()));
        Ok(Value::Number(class.clone(), Some(expr::in_type(&power, *ty))))
    }
}

/// An unknown result.
fn result_of(row: &Operation, class: Class) -> Value {
    match row.result {
        Outcome::Truth => Value::Bool(None),
        _ => Value::Number(class, None),
    }
}
