//! Number-theoretic transforms on the CPU, and the integer product that uses them.
//!
//! | module | contents |
//! | --- | --- |
//! | [`ntt`] | transforms over any prime field |
//! | [`mul_ntt`] | the integer product by transforms over several primes |
//! | [`context`] | prime fields as values: the field of a type, or of a prime known at run time |

pub mod context;
pub mod elementwise;
pub mod mul_ntt;
pub mod ntt;
