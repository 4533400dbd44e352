//! The limb of integers.

use clap::ValueEnum;
use limbforge::limb::Base;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LimbArgument {
    U32,
    #[default]
    U64,
    U128,
}

/// Evaluates an expression with the name `$B` for the type of a limb.
#[macro_export]
macro_rules! with_limb {
    ($limb:expr, $B:ident => $value:expr) => {
        match $limb {
            $crate::args::LimbArgument::U32 => {
                type $B = u32;
                $value
            }
            $crate::args::LimbArgument::U64 => {
                type $B = u64;
                $value
            }
            $crate::args::LimbArgument::U128 => {
                type $B = u128;
                $value
            }
        }
    };
}

impl LimbArgument {
    pub const fn name(self) -> &'static str {
        with_limb!(self, B => <B as Base>::NAME)
    }
}
