//! Operands: values and numbers.

use std::rc::Rc;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint, Sign};

use super::value::Value;
use super::writer::Writer;

mod sealed {
    pub trait Sealed {}
}

/// An operand: a [`Value`] or a number.
pub trait Operand: sealed::Sealed {
    /// The operand as it stands in an expression of this program.
    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn written(&self, writer: &Rc<Writer>) -> Arc<str>;
}

impl sealed::Sealed for Value {}
impl Operand for Value {
    #[allow(private_interfaces)]
    fn written(&self, writer: &Rc<Writer>) -> Arc<str> {
        if !Rc::ptr_eq(&self.writer, writer) {
            writer.mistake("values of one builder", "a value of another one");
        }
        Arc::clone(&self.written)
    }
}

impl<T: Operand + ?Sized> sealed::Sealed for &T {}
impl<T: Operand + ?Sized> Operand for &T {
    #[allow(private_interfaces)]
    fn written(&self, writer: &Rc<Writer>) -> Arc<str> {
        (**self).written(writer)
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl sealed::Sealed for $number {}
        impl Operand for $number {
            #[allow(private_interfaces)]
            fn written(&self, _: &Rc<Writer>) -> Arc<str> {
                let number = BigInt::from(self.clone());
                let is_negative = number.sign() == Sign::Minus;
                if is_negative { format!("({number})") } else { number.to_string() }.into()
            }
        }
    )*};
}
numbers!(i32, u32, i64, u64, i128, u128, BigInt, BigUint);
