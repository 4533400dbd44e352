//! The operators that a class of arrays has, but for comparisons.

/// Python's methods of a class that implements [`Arithmetic`](super::Arithmetic).
macro_rules! operators {
    ($class:ty) => {
        $crate::arithmetic::infix! {
            $class;
            __add__ __radd__ |_signed| "a + b";
            __sub__ __rsub__ |_signed| "a - b";
            __mul__ __rmul__ |_signed| "a * b";
            __floordiv__ __rfloordiv__ |signed| $crate::floor::quotient(signed);
            __mod__ __rmod__ |signed| $crate::floor::remainder(signed);
            __and__ __rand__ |_signed| "a & b";
            __or__ __ror__ |_signed| "a | b";
            __xor__ __rxor__ |_signed| "a ^ b";
        }

        #[pymethods]
        impl $class {
            fn __divmod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                $crate::arithmetic::divmod(slf, other, false)
            }

            fn __rdivmod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                $crate::arithmetic::divmod(slf, other, true)
            }

            fn __truediv__(&self, _other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                Err($crate::arithmetic::no_fractions())
            }

            fn __rtruediv__(&self, _other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                Err($crate::arithmetic::no_fractions())
            }

            fn __lshift__(slf: &Bound<'_, Self>, distance: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                $crate::arithmetic::shift(slf, distance, true)
            }

            fn __rlshift__(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                $crate::arithmetic::binary(slf, value, "a << b", true)
            }

            fn __rshift__(slf: &Bound<'_, Self>, distance: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                $crate::arithmetic::shift(slf, distance, false)
            }

            fn __rrshift__(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                $crate::arithmetic::binary(slf, value, "a >> b", true)
            }

            fn __pow__(
                slf: &Bound<'_, Self>,
                exponent: &Bound<'_, PyAny>,
                modulus: &Bound<'_, PyAny>,
            ) -> PyResult<Py<PyAny>> {
                $crate::arithmetic::power(slf, exponent, modulus)
            }

            /// `pow(2, a, m)`: the exponents are this array.
            fn __rpow__(
                slf: &Bound<'_, Self>,
                base: &Bound<'_, PyAny>,
                modulus: &Bound<'_, PyAny>,
            ) -> PyResult<Py<PyAny>> {
                $crate::arithmetic::power_of(slf, base, modulus)
            }

            fn __neg__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                $crate::arithmetic::unary(slf, "-a")
            }

            fn __pos__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
                slf
            }

            fn __invert__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                $crate::arithmetic::unary(slf, "~a")
            }

            fn __abs__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                match $crate::arithmetic::Arithmetic::ty(slf.get()).is_signed() {
                    true => $crate::arithmetic::unary(slf, "max(a, -a)"),
                    false => Ok(slf.clone().into_any().unbind()),
                }
            }
        }
    };
}

/// Methods of two operands, and those of the other side.
macro_rules! infix {
    ($class:ty; $($name:ident $swapped:ident |$signed:ident| $text:expr;)*) => {
        #[pymethods]
        impl $class {
            $(
                fn $name(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    let $signed = $crate::arithmetic::Arithmetic::ty(slf.get()).is_signed();
                    $crate::arithmetic::binary(slf, other, $text, false)
                }

                fn $swapped(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    let $signed = $crate::arithmetic::Arithmetic::ty(slf.get()).is_signed();
                    $crate::arithmetic::binary(slf, other, $text, true)
                }
            )*
        }
    };
}

pub(crate) use infix;
pub(crate) use operators;
