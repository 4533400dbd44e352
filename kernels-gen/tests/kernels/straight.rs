//! Straight kernels of programs, against the CPU backend. The programs of `tape` run on them, too.

mod arrays;
mod features;
mod integers;
mod lists;
mod moduli;
mod random;

use crate::tape::Run;
