//! Prime fields: choosing a prime, computing with it, and what it can multiply exactly.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`modular`] | arithmetic modulo a 64-bit number in constant expressions, the reference of everything else |
//! | [`primality`] | deterministic primality of 64-bit numbers, also in constant expressions |

pub mod modular;
pub mod primality;
