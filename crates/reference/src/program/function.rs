//! Calls: of functions of the program, of types, of functions that only programs have, and of the table.

use limbforge_algos::op::operations;
use limbforge_algos::program::text::syntax::{Expression, Function, Name, Span};
use limbforge_limb::IntType;
use limbforge_testing::expr::{in_type, number_theory};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use super::class::{Class, int};
use super::scope::Scope;
use super::value::{Value, elementwise};
use super::{Run, Stopped};

impl Run<'_> {
    pub(super) fn call(
        &mut self,
        name: &Name,
        operands: &[Expression],
        place: Span,
    ) -> Result<Value, Stopped> {
        if &*name.text == "random" {
            return self.random(operands);
        }
        let operands: Vec<Value> =
            operands.iter().map(|operand| self.evaluate(operand, None)).collect::<Result<_, _>>()?;
        if let Some(&function) = self.functions.get(&name.text) {
            return self.inlined(function, operands, place);
        }
        if let Ok(ty) = name.text.parse::<IntType>() {
            return elementwise(&operands, &mut |x| Ok(self.cast(&x[0], ty)));
        }
        match (&*name.text, &operands[..]) {
            ("int", [_]) => elementwise(&operands, &mut |x| Ok(self.number_of(&x[0]))),
            ("key", [_]) => elementwise(&operands, &mut |x| Ok(self.key_of(&x[0]))),
            ("jacobi", [_]) => elementwise(&operands, &mut |x| Ok(symbol(&x[0]))),
            ("bit", [_, _]) => elementwise(&operands, &mut |x| Ok(Value::Bool(bit(&x[0], &x[1])))),
            ("bit_length", [Value::Exact(k)]) => Ok(Value::Exact(k.magnitude().bits().into())),
            ("bit_length", [_]) => elementwise(&operands, &mut |x| {
                Ok(Value::int(int(32, false), x[0].number().map(|k| k.magnitude().bits().into())))
            }),
            ("swap", [condition, p, q]) => {
                let shape = self.merge(p, q, place, "value");
                let (p, q) = (self.convert(p, &shape, place)?, self.convert(q, &shape, place)?);
                let swapped = self.choose(condition, &q, &p)?;
                Ok(Value::Tuple(vec![swapped, self.choose(condition, &p, &q)?]))
            }
            ("select", [condition, p, q]) => {
                let shape = self.merge(p, q, place, "value");
                let (p, q) = (self.convert(p, &shape, place)?, self.convert(q, &shape, place)?);
                self.choose(condition, &p, &q)
            }
            (function, _) => {
                let row = operations().find(|row| row.is_function() && row.name == function);
                self.operation(row, &operands, place)
            }
        }
    }

    /// A function of the program sees constants and its parameters.
    fn inlined(&mut self, function: &Function, operands: Vec<Value>, place: Span) -> Result<Value, Stopped> {
        let inside = vec![self.constants.clone(), Scope::default()];
        let outside = core::mem::replace(&mut self.scopes, inside);
        self.path.push(place);
        for (pattern, operand) in function.parameters.iter().zip(operands) {
            self.declare_all(pattern, operand, None);
        }
        let value = self.block(&function.body)?;
        self.path.pop();
        self.scopes = outside;
        Ok(value.unwrap_or_else(|| panic!("expected a value of `{}`", function.name.text)))
    }

    /// Of a condition for all, or one for each element.
    fn choose(&mut self, condition: &Value, p: &Value, q: &Value) -> Result<Value, Stopped> {
        elementwise(&[condition.clone(), p.clone(), q.clone()], &mut |one| {
            let [condition, p, q] = one else { panic!("three operands, found {one:?}") };
            Ok(match condition.truth().filter(|_| !self.is_survey()) {
                Some(true) => p.clone(),
                Some(false) => q.clone(),
                None => p.forget(),
            })
        })
    }

    /// An integer modulo 2^N.
    fn cast(&self, x: &Value, ty: IntType) -> Value {
        assert!(x.ring().is_none(), "expected an integer, found {x:?}");
        Value::int(ty, x.number().filter(|_| !self.is_survey()).map(|x| in_type(&x, ty)))
    }

    /// The number of a residue.
    fn number_of(&self, x: &Value) -> Value {
        let ring = x.ring().unwrap_or_else(|| panic!("expected a residue, found {x:?}"));
        Value::Number(self.classes.known(&ring.ty), x.number())
    }

    /// The number of x 2^(32 W), for W words of the type of the modulus.
    fn key_of(&self, x: &Value) -> Value {
        let ring = x.ring().unwrap_or_else(|| panic!("expected a residue, found {x:?}"));
        let class = self.classes.known(&ring.ty);
        let number = ring.number.as_ref().zip(x.number()).map(|(n, x)| match &class {
            Class::Int(ty) => (x << (32 * ty.bits().div_ceil(32))) % n,
            other => panic!("expected the type of a modulus, found {other:?}"),
        });
        Value::Number(class, number)
    }
}

/// The Jacobi symbol of a residue.
fn symbol(x: &Value) -> Value {
    let ring = x.ring().unwrap_or_else(|| panic!("expected a residue, found {x:?}"));
    let number = ring.number.as_ref().zip(x.number());
    let symbol = number.map(|(n, x)| BigInt::from(number_theory::jacobi(&x, n.magnitude())));
    Value::Number(Class::Int(int(64, true)), symbol)
}

/// Bit i of a two's complement number without end.
fn bit(k: &Value, i: &Value) -> Option<bool> {
    let (k, i) = (k.number()?, i.number()?);
    Some(match i.to_u64() {
        Some(i) => k.bit(i),
        None => i.is_positive() && k.is_negative(),
    })
}
