//! Templates rendered with values, and the instructions that they call: PTX, or its twin in C++.

use minijinja::{Environment, UndefinedBehavior, Value, context, syntax::SyntaxConfig};

use crate::spec::{SpecError, Target};

/// Name of every kernel's entry point.
pub(crate) const ENTRY: &str = "limbforge_kernel";

const PTX: [&str; 2] =
    [include_str!("../../templates/ptx.cuh"), include_str!("../../templates/ptx_twin.cuh")];
const MULTIPLES: [&str; 2] =
    [include_str!("../../templates/ptx_mad.cuh"), include_str!("../../templates/ptx_mad_twin.cuh")];
const WARPGROUPS: [&str; 2] =
    [include_str!("../../templates/ptx_wgmma.cuh"), include_str!("../../templates/ptx_wgmma_twin.cuh")];
const THREAD: [&str; 2] =
    [include_str!("../../templates/ptx_thread.cuh"), include_str!("../../templates/ptx_thread_twin.cuh")];
const THREAD_PRODUCTS: [&str; 2] = [
    include_str!("../../templates/ptx_thread_products.cuh"),
    include_str!("../../templates/ptx_thread_products_twin.cuh"),
];
const RESIDUES: [&str; 2] =
    [include_str!("../../templates/ptx_rns.cuh"), include_str!("../../templates/ptx_rns_twin.cuh")];
const COLUMNS: [&str; 2] = [
    include_str!("../../templates/ptx_rns_group.cuh"),
    include_str!("../../templates/ptx_rns_group_twin.cuh"),
];

/// The renderer of templates, which refuses undefined names.
fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax =
        SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?;
    environment.set_syntax(syntax);
    environment.add_global("entry", ENTRY);
    Ok(environment)
}

/// A template with these values.
pub(crate) fn render_source(template: &str, values: Value) -> Result<String, SpecError> {
    let failed = |error: minijinja::Error| SpecError::Template(format!("{error:#}"));
    environment().map_err(failed)?.render_str(template, values).map_err(failed)
}

/// Instructions of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instructions {
    /// Sums with carries of runs of so many words.
    Carries(u32),
    /// Products of matrices of bytes.
    Matrices,
    /// Multiples of a number of several words.
    Multiples,
    /// Products of matrices of bytes by four warps together.
    Warpgroups,
    /// Words modulo primes, and matrices of bytes in shared memory.
    Residues,
    /// Products of matrices of bytes in shared memory by four warps together, for so many columns.
    Columns(u32),
    /// Numbers of so many words of one thread, of which some may need all bits of their words.
    Thread(u32, bool),
    /// Squares and products of such numbers; those of [`Thread`](Self::Thread) come behind them.
    ThreadProducts(u32),
}

impl Instructions {
    /// The text of all of these.
    pub(crate) fn text(wanted: &[Self], target: Target) -> Result<String, SpecError> {
        let of = |texts: [&'static str; 2]| texts[usize::from(target == Target::Emulator)];
        let text = |instructions: &Self| match *instructions {
            Self::Carries(run_words) => {
                render_source(of(PTX), context! { pieces => pieces(run_words), mma => false })
            }
            Self::Matrices => render_source(of(PTX), context! { mma => true }),
            Self::Multiples => render_source(of(MULTIPLES), context! {}),
            Self::Thread(words, full) => render_source(of(THREAD), thread(words, full)),
            Self::ThreadProducts(words) => render_source(of(THREAD_PRODUCTS), context! { words }),
            Self::Warpgroups => Ok(of(WARPGROUPS).to_owned()),
            Self::Residues => Ok(of(RESIDUES).to_owned()),
            Self::Columns(columns) => render_source(of(COLUMNS), context! { columns }),
        };
        wanted.iter().map(text).collect()
    }
}

/// The words of even and of odd places of a row, and whether it carries to the word above them.
fn thread(words: u32, full: bool) -> Value {
    let (even, odd) = (words.next_multiple_of(2), words / 2 * 2);
    let is_even = words == even;
    let (even_carries, odd_carries) = (is_even || full, !is_even || full);
    context! { words, even, odd, even_carries, odd_carries }
}

/// A run in pieces of up to eight words, as (first word, words): what one asm statement takes.
fn pieces(run_words: u32) -> Vec<(u32, u32)> {
    (0..run_words).step_by(8).map(|first| (first, (run_words - first).min(8))).collect()
}
