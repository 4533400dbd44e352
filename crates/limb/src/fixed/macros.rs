//! The shapes that implementations for [`Uint`](crate::Uint) and [`Int`](crate::Int) share.

/// The operator `lhs op rhs`.
macro_rules! operator {
    ($(#[$doc:meta])* [$($P:ident: $Bound:ident)?] $Type:ident: $Op:ident $op:ident,
     <$Rhs:ty> for $Lhs:ty, |$a:ident, $b:ident| $value:expr) => {
        impl<B: Base, N: ArrayLength $(, $P: $Bound)?> $Op<$Rhs> for $Lhs {
            type Output = $Type<B, N>;

            $(#[$doc])*
            #[inline]
            #[track_caller]
            fn $op(self, rhs: $Rhs) -> $Type<B, N> {
                let ($a, $b) = (self, rhs);
                $value
            }
        }
    };
}

/// The assignment `lhs op= rhs`, by the operator of the reference.
macro_rules! assignment {
    ([$($P:ident: $Bound:ident)?] $Type:ident: $Assign:ident $assign:ident, <$Rhs:ty>, $op:ident) => {
        impl<B: Base, N: ArrayLength $(, $P: $Bound)?> $Assign<$Rhs> for $Type<B, N> {
            #[inline]
            #[track_caller]
            fn $assign(&mut self, rhs: $Rhs) {
                *self = (&*self).$op(rhs);
            }
        }
    };
}

/// The operator `op number`, by reference and by value.
macro_rules! unary {
    ($Type:ident: $Op:ident $op:ident, |$a:ident| $value:expr) => {
        impl<B: Base, N: ArrayLength> $Op for &$Type<B, N> {
            type Output = $Type<B, N>;

            #[inline]
            fn $op(self) -> $Type<B, N> {
                let $a = self;
                $value
            }
        }

        impl<B: Base, N: ArrayLength> $Op for $Type<B, N> {
            type Output = Self;

            #[inline]
            fn $op(self) -> Self {
                (&self).$op()
            }
        }
    };
}

/// A conversion that always succeeds.
macro_rules! from {
    ($(#[$doc:meta])* $From:ty => $To:ty, |$value:ident| $result:expr) => {
        impl<B: Base, N: ArrayLength> From<$From> for $To {
            $(#[$doc])*
            #[inline]
            fn from($value: $From) -> Self {
                $result
            }
        }
    };
}

/// A conversion of values that may not fit.
macro_rules! try_from {
    ([$($M:ident)?] $From:ty => $To:ty, |$value:ident| $result:expr) => {
        impl<B: Base, N: ArrayLength $(, $M: ArrayLength)?> TryFrom<$From> for $To {
            type Error = RangeError;

            fn try_from($value: $From) -> Result<Self, RangeError> {
                $result
            }
        }
    };
}

pub(crate) use {assignment, from, operator, try_from, unary};
