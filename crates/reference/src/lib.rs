//! Oracles and toy limbs of limbforge's tests, for development only: nothing here is published.
//!
//! | module | contents |
//! | --- | --- |
//! | [`guard`] | hashes of all rendered sources, so that a change of structure changes no kernel |
//! | [`primality`], [`reduction`] | what limbforge does by faster algorithms, by the definitions |
//! | [`sample`] | how much of a large space a test tries |
//! | [`toy`] | limbs of a few bits, for tests of all operands, and of widths that machines lack |

pub mod guard;
pub mod primality;
pub mod reduction;
pub mod sample;
pub mod toy;
