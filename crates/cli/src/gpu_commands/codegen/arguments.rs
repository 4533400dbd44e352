//! The command line of `limbforge codegen`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use limbforge_gpu::Arch;
use limbforge_kernels_gen::{Product, ProductMapping};

use crate::args::{LimbArgument, parse_bits};

/// Print the CUDA source, PTX or CUBIN of an expression's kernel, or what the kernel takes of each GPU
/// architecture.
///
/// An expression with products of wide integers is a program of several kernels: all are printed, in the
/// order in which they run. Source needs nothing installed, the others NVIDIA's nvrtc (see `limbforge
/// doctor`) but no GPU. Exit status: 0, or 1 if there is no such kernel or no nvrtc, with one line `error:
/// why` and no output, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "\
Example: limbforge codegen '(a*a + b)*(b*b + b) + a*b' --bits 4096 --emit report --arch sm_80 --arch sm_90")]
pub(crate) struct CodegenArguments {
    /// The expression, as in '(a*a + b) * 3 - (b << 7)'; see `limbforge functions`
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expression: String,

    /// Width of all integers in bits, 1 to 16777216
    #[arg(long, value_name = "N", value_parser = parse_bits)]
    pub(crate) bits: u64,

    /// Integers are two's complement
    #[arg(long)]
    pub(crate) signed: bool,

    /// The limb that integers are made of
    #[arg(long, value_enum, default_value_t)]
    pub(crate) limb: LimbArgument,

    /// Where the limbs of all batches lie
    #[arg(long, value_enum, default_value_t)]
    pub(crate) layout: LayoutArgument,

    /// A variable whose batch has one integer, which is used for all; repeat for more
    #[arg(long, value_name = "NAME")]
    pub(crate) broadcast: Vec<String>,

    /// Q: limbs of an integer that a thread holds [default: what suits the kernel]
    #[arg(long, value_name = "Q", requires = "instances_per_block", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) limbs_per_thread: Option<u32>,

    /// IPB: integers that a block computes [default: what suits the kernel]
    #[arg(long, value_name = "I", requires = "limbs_per_thread", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) instances_per_block: Option<u32>,

    /// The mapping of the product, as `limbforge plan --explain` names it: words=W instances=I, together=T
    /// team=W warps=W or threads=T instances=I [default: what suits the kernel]
    #[arg(long, value_name = "MAPPING", conflicts_with = "limbs_per_thread")]
    pub(crate) mapping: Option<ProductMapping>,

    /// Which product is used: auto (the fastest one for the width and the first architecture), classical, ntt
    /// (by transforms) or tensor (on tensor cores), which are kernels of their own; rns, for powers modulo
    /// numbers and tests of primality; or fold, for powers modulo one number for all instances
    #[arg(
        long,
        value_name = "auto|classical|ntt|tensor|rns|fold",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    pub(crate) product: ProductArgument,

    /// Only the kernel of this number, from 1 on; needed for PTX and CUBIN of several kernels
    #[arg(long, value_name = "I", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) kernel: Option<u32>,

    /// The GPU architecture; repeat for more in a report
    #[arg(
        long = "arch",
        value_name = "ARCH",
        help = "The GPU architecture, as in sm_90; repeat for more in a report [default: sm_90; in a report: sm_75 \
                sm_80 sm_86 sm_89 sm_90 sm_100]"
    )]
    pub(crate) archs: Vec<Arch>,

    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) emit: Emit,

    /// Where it goes; the file appears when it is complete [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// One JSON object: spec, entry, inputs, mapping, geometry; and source, or arch and nvrtc with ptx or
    /// cubin (in hexadecimal), or nvrtc and architectures. A kernel of transforms has `transforms` in place
    /// of `mapping`, one of a product on tensor cores `tensor`. Several kernels are a list of such objects,
    /// `kernels`, each with its number and role
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// CUDA C++
    #[default]
    Source,
    /// Text that a driver compiles
    Ptx,
    /// Machine code
    Cubin,
    /// Registers, shared memory, spills and occupancy per architecture
    Report,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProductArgument {
    /// The fastest one for the width and the device
    #[default]
    Auto,
    /// The classical product
    Classical,
    /// Products by transforms
    Ntt,
    /// Products on tensor cores
    Tensor,
    /// Powers modulo numbers in residue number systems on tensor cores
    Rns,
    /// The same by warps alone: fewer instances fill a GPU
    RnsWarps,
    /// Powers modulo one number for all instances by a matrix on tensor cores
    Fold,
}

impl From<ProductArgument> for Product {
    fn from(argument: ProductArgument) -> Self {
        match argument {
            ProductArgument::Auto => Self::Auto,
            ProductArgument::Classical => Self::Classical,
            ProductArgument::Ntt => Self::Ntt,
            ProductArgument::Tensor => Self::Tensor,
            ProductArgument::Rns => Self::Rns,
            ProductArgument::RnsWarps => Self::RnsWarps,
            ProductArgument::Fold => Self::Fold,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutArgument {
    /// The limbs of an integer are neighbours
    #[default]
    Major,
    /// Equal limbs of all integers are neighbours
    Interleaved,
}
