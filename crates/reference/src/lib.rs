//! Oracles and toy limbs of limbforge's tests, for development only: nothing here is published.
//!
//! | module | contents |
//! | --- | --- |
//! | [`guard`] | hashes of all rendered sources, so that a change of structure changes no kernel |
//! | [`primality`], [`reduction`] | what limbforge does by faster algorithms, by the definitions |
//! | [`program`] | the value of a program, one instance at a time, from its syntax tree |
//! | [`sample`] | how much of a large space a test tries |
//! | [`samples`] | the sample programs, with operands and known results |
//! | [`toy`] | limbs of a few bits, for tests of all operands, and of widths that machines lack |

pub mod guard;
pub mod primality;
pub mod program;
pub mod reduction;
pub mod sample;
pub mod samples;
pub mod toy;
