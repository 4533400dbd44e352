//! Batches in vectors: eight instances side by side, one in each 64-bit word of a vector, in digits of 52
//! bits (Gueron and Krasnov, "Software implementation of modular exponentiation, using advanced vector
//! instructions architectures", 2012).
//!
//! AVX-512 IFMA multiplies eight pairs of digits and adds the low or the high 52 bits of the products to
//! eight words, twice in a cycle. The twelve upper bits of a word hold the carries of a column, so that each
//! column is resolved once. A product of one pair alone would spend its time on moving carries across words;
//! eight instances side by side need none of that.
//!
//! | module | contents |
//! | --- | --- |
//! | `lanes` | eight words, and what a machine must do with them |
//! | `ifma`, `portable` | the two implementations, equal bit by bit |
//! | `rows` | neighbouring words in a register |
//! | `digits` | transposition of eight integers of words into digits of 52 bits, and back |
//! | `columns`, `product` | products and squares column by column, five columns at a time in registers |
//! | `short` | low and wide products and squares of 256, 512 and 1024 bits |
//! | `neighbours` | those of longer numbers side by side |
//! | `multiply` | those of any numbers |
//! | `shifted`, `divisors`, `divide`, `divider` | quotients and remainders |
//! | `montgomery` | Montgomery products and squares, and the proof of their bounds |
//! | `residues` | products modulo any numbers: a product and a division |
//! | `ring`, `constants`, `power`, `window` | powers modulo odd numbers |
//! | `doubles` | Montgomery products in double precision, where IFMA is missing |
//! | `lucas`, `swap` | strong Lucas tests |
//! | `signed` | signed words and conditions, with both implementations |
//! | `divsteps`, `steps` | division steps, and their matrices times whole numbers |
//! | `euclid`, `residue` | greatest common divisors and inverses by division steps |
//! | `path` | which implementation runs, and at which widths |
//!
//! Operations of [`op`](crate::op) gather the instances that these kernels take; all others run one by one as
//! before. No result depends on the path. Not constant time.

mod columns;
mod constants;
mod digits;
mod divide;
mod divider;
mod divisors;
mod divsteps;
#[cfg(target_arch = "x86_64")]
mod doubles;
mod euclid;
#[cfg(target_arch = "x86_64")]
mod ifma;
mod lanes;
mod lucas;
mod montgomery;
mod multiply;
mod neighbours;
mod path;
mod portable;
mod power;
mod product;
mod residue;
mod residues;
mod ring;
mod rows;
mod shifted;
mod short;
mod signed;
mod steps;
mod swap;
#[cfg(test)]
mod tests;
mod window;

pub(crate) use divider::Divider;
pub(crate) use euclid::{Euclid, GROUPS, Pairs};
pub(crate) use lanes::WIDTH;
pub(crate) use lucas::LucasTests;
pub(crate) use montgomery::digits_for as digits_of_powers;
pub(crate) use multiply::{Eight, Multiplier};
pub(crate) use neighbours::Neighbours;
pub(crate) use path::{
    Kept, Path, PathOfPowers, path_of_divisions, path_of_divisors, path_of_inverses,
    path_of_modular_products, path_of_neighbours, path_of_powers, path_of_products, path_of_roots,
    path_of_tests,
};
pub(crate) use power::Powers;
pub(crate) use residues::Residues;
pub(crate) use short::products as short_products;
