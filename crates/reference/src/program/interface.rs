//! Types as they are written, inputs and results.

use limbforge_algos::program::text::syntax::{Expression, ExpressionKind, Name, Type, TypeKind};
use limbforge_limb::IntType;
use limbforge_testing::expr::in_type;
use num_bigint::BigInt;
use num_traits::Zero;

use super::class::Class;
use super::value::Value;
use super::{Output, Run, Stopped};

impl Run<'_> {
    /// The shape of the values of a type.
    pub(super) fn shape_of(&mut self, ty: &Type) -> Result<Value, Stopped> {
        Ok(match &ty.kind {
            TypeKind::Bool => Value::Bool(None),
            TypeKind::Int(int) => Value::int(*int, None),
            TypeKind::Residue(name) => {
                let kind = Box::new(ExpressionKind::Name(name.text.clone()));
                let ring = self.ring(&Expression { kind, span: name.span })?;
                Value::Number(Class::Residue(ring), None)
            }
            TypeKind::Array(element, length) => {
                let length = self.constant(length)?;
                Value::Array(vec![self.shape_of(element)?; length])
            }
            TypeKind::Tuple(members) => {
                let members: Result<_, _> = members.iter().map(|member| self.shape_of(member)).collect();
                Value::Tuple(members?)
            }
        })
    }

    /// Declares an input.
    pub(super) fn input(&mut self, name: &Name, ty: Option<&Type>) -> Result<(), Stopped> {
        let batch = self.types.iter().find(|(other, _)| *other == name.text);
        let batch = batch.unwrap_or_else(|| panic!("expected the type of `{}`", name.text)).1;
        let shape = ty.map_or_else(|| Ok(Value::int(batch, None)), |ty| self.shape_of(ty))?;
        let value = match &self.inputs {
            None => shape,
            Some(inputs) => {
                let integers = inputs.get(&*name.text);
                let integers = integers.unwrap_or_else(|| panic!("expected integers for `{}`", name.text));
                let mut integers = integers.clone().into_iter();
                let value = self.fill(&shape, &mut integers)?;
                assert!(integers.next().is_none(), "expected fewer integers for `{}`", name.text);
                value
            }
        };
        self.declare(&name.text, value);
        Ok(())
    }

    fn fill(&mut self, shape: &Value, integers: &mut dyn Iterator<Item = BigInt>) -> Result<Value, Stopped> {
        if let Some(parts) = shape.parts() {
            let parts: Vec<Value> =
                parts.iter().map(|part| self.fill(part, integers)).collect::<Result<_, _>>()?;
            return Ok(if matches!(shape, Value::Array(_)) {
                Value::Array(parts)
            } else {
                Value::Tuple(parts)
            });
        }
        let integer = integers.next().unwrap_or_else(|| panic!("expected more integers"));
        Ok(match shape {
            Value::Number(Class::Int(ty), _) => Value::int(*ty, Some(in_type(&integer, *ty))),
            Value::Number(Class::Residue(ring), _) => self.lift(&Value::Exact(integer), ring)?,
            _ => Value::Bool(Some(!integer.is_zero())),
        })
    }

    /// Gives a result.
    pub(super) fn output(&mut self, name: &Name, value: Option<&Expression>) -> Result<(), Stopped> {
        let value = match value {
            Some(value) => self.evaluate(value, None)?,
            None => self.value_of(&name.text),
        };
        let shape = self.typed_shape(&value, name.span, "result");
        let value = self.convert(&value, &shape, name.span)?;
        if self.is_survey() {
            self.shapes.push((name.text.clone(), value));
            return Ok(());
        }
        let (mut ty, mut values) = (None, vec![]);
        self.flatten(&value, &mut ty, &mut values);
        let ty = ty.unwrap_or_else(|| panic!("expected a result of `{}`", name.text));
        self.outputs.push(Output { name: name.text.clone(), ty, values });
        Ok(())
    }

    /// The integers of a value, and the type of their batch.
    fn flatten(&self, value: &Value, ty: &mut Option<IntType>, integers: &mut Vec<BigInt>) {
        if let Some(parts) = value.parts() {
            parts.iter().for_each(|part| self.flatten(part, ty, integers));
            return;
        }
        let own = self.classes.batch_type(value);
        assert!(ty.is_none_or(|ty| ty == own), "expected members of one type, found {value:?}");
        *ty = Some(own);
        integers.push(value.number().unwrap_or_else(|| panic!("a result is known")));
    }
}
