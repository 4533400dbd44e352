//! A kernel of transforms as CUDA C++, and the tables that it reads.

use limbforge_field::modular::inv_mod_word;
use limbforge_limb::Layout;
use minijinja::{Value, context, value::Serde};
use num_traits::ToPrimitive as _;

use super::interpolation::Interpolation;
use super::plan::ProductPlan;
use super::spec::{Addend, Destination, Factor, MulNttSpec, NttInput, NttStep, Pointwise};
use super::table::{Roots, Twiddle, scale};
use crate::invariant::broken_invariant;
use crate::kernel::{Block, Geometry, Kernel};
use crate::spec::{Limits, Residues, SpecError, WARP, operand_names};
use crate::template::{Template, Templates, render_source};

const KERNEL: &str = include_str!("../../../templates/mul_ntt.cu.j2");
const COLUMNS: &str = include_str!("../../../templates/ntt_columns.cu.j2");

/// Renders the specification, for a device with these limits.
///
/// The kernel's parameters are the inputs, then the words of [`product_tables`], then the result.
///
/// # Errors
/// [`SpecError`] if the transforms need more than the limits give.
pub fn render_mul_ntt(spec: &MulNttSpec, limits: &Limits) -> Result<Kernel, SpecError> {
    let Block { geometry, wanted, .. } = block(spec, limits)?;
    let source = source(spec, &spec.plan.interpolation()?, wanted)?;
    let name = |input: &NttInput| match input {
        NttInput::Integers(input) => input.name.clone(),
        NttInput::Spectrum { .. } => "spectrum".to_owned(),
    };
    let names = spec.inputs.iter().map(name).chain(["tables".to_owned()]);
    Ok(Kernel::new(source, operand_names(names, spec.unless), geometry, false))
}

/// The resources of a block of the kernel, without its source.
pub(crate) fn block(spec: &MulNttSpec, limits: &Limits) -> Result<Block, SpecError> {
    let plan = &spec.plan;
    let threads = plan.threads * plan.instances;
    let shared_bytes = u64::from(4 * plan.array_words() * spec.arrays() * plan.instances);
    limits.check_threads(threads)?;
    limits.check_shared(shared_bytes)?;
    let planes = plan.primes.primes().len() as u32;
    let geometry = Geometry { threads, instances: plan.instances, planes, shared_bytes: shared_bytes as u32 };
    let wanted = limits.blocks(plan.blocks, threads, shared_bytes);
    // Between passes, forward of each step and backward; within a warp they cost little.
    let passes = if plan.radices[1] > 1 { 3 } else { 2 };
    let barriers = if plan.threads > WARP { passes * (spec.steps.len() as u32 + 1) } else { 0 };
    Ok(Block { geometry, wanted, registers: plan.registers(), barriers })
}

/// The factors of the butterflies modulo each prime, as the kernel reads them.
#[must_use]
pub fn product_tables(plan: &ProductPlan) -> Vec<u32> {
    // A plan that was not proved has no kernel.
    let blocks = plan.interpolation().map_or(vec![], |program| program.blocks);
    let of_prime = |&p: &u32| {
        // The product of the other primes modulo p.
        let cofactor = (plan.primes.product() / p % p).to_u64();
        let cofactor = cofactor.unwrap_or_else(|| broken_invariant("a residue fits its word"));
        let scale = scale(p.into(), cofactor);
        Roots::new(p, plan.order()).tables(plan.radices, &blocks, scale)
    };
    plan.primes.primes().iter().flat_map(of_prime).collect()
}

/// The initializer of a `Transform`.
fn transform(plan: &ProductPlan, interpolation: &Interpolation, p: u32) -> String {
    let roots = Roots::new(p, plan.order());
    let pair = |[w, f]: Twiddle| format!("{{{w}, {f}}}");
    let pairs = |factors: Vec<Twiddle>| factors.into_iter().map(pair).collect::<Vec<_>>().join(", ");
    let (outer, inner) = roots.shared(plan.radices);
    let inverse = inv_mod_word(p.into()) as u32 as i32;
    let columns = interpolation.factors.iter().map(|&factor| roots.node_factor(factor)).collect();
    let (outer, inner, columns) = (pairs(outer), pairs(inner), pairs(columns));
    format!("{{{{{p}, -{p}, {inverse}}}, {{{outer}}}, {{{inner}}}, {{{columns}}}}}")
}

/// The templates, around the outer pass backward.
fn texts(spec: &MulNttSpec, interpolation: &Interpolation) -> Result<Vec<String>, SpecError> {
    let flags = spec.unless.map(|_| Template::SkipMask);
    let before = Templates::of([Template::Residue28, Template::NttBlock].into_iter().chain(flags));
    let operations: Vec<String> = interpolation.operations.iter().map(ToString::to_string).collect();
    let coefficients = &interpolation.coefficients;
    let backward = render_source(COLUMNS, context! { operations, coefficients })?;
    let behind = [backward, Template::MulNtt.text().to_owned()];
    Ok(before.texts().into_iter().map(str::to_owned).chain(behind).collect())
}

fn source(spec: &MulNttSpec, interpolation: &Interpolation, blocks: u32) -> Result<String, SpecError> {
    let plan = &spec.plan;
    let primes: Vec<String> =
        plan.primes.primes().iter().map(|&p| transform(plan, interpolation, p)).collect();
    let mut next_array = ["a", "b"].into_iter();
    let steps: Vec<Value> = spec.steps.iter().map(|step| step_context(spec, step, &mut next_array)).collect();
    render_source(
        KERNEL,
        context! {
            spec => spec.to_string(),
            words => spec.words,
            limb_words => spec.limb.words(),
            plane => Residues::plane(plan.out_digits),
            primes,
            blocks,
            column_factors => interpolation.factors.len().max(1),
            reduce => Serde(plan.reductions),
            templates => texts(spec, interpolation)?,
            inputs => spec.inputs.len(),
            arrays => spec.arrays(),
            results => spec.residues(),
            steps,
            unless => spec.unless.map(|unless| unless.mask),
            ..Serde(plan)
        },
    )
}

/// Arrays of shared memory for the results that are transformed back.
type Arrays = core::array::IntoIter<&'static str, 2>;

fn step_context(spec: &MulNttSpec, step: &NttStep, arrays: &mut Arrays) -> Value {
    let operands: Vec<String> = step.operands.iter().map(|&input| digit(spec, input)).collect();
    let results: Vec<Value> = step.results.iter().map(|product| pointwise(spec, product, arrays)).collect();
    context! { operands, results }
}

/// The expression for digit `digit` of an operand.
fn digit(spec: &MulNttSpec, input: usize) -> String {
    let NttInput::Integers(operand) = &spec.inputs[input] else { return "make_uint2(0, 0)".to_owned() };
    let (instance, count) = if operand.broadcast { ("0", "1") } else { ("at.instance", "instances") };
    match operand.layout {
        Layout::InstanceMajor => format!("digit_major(in{input}, {instance}, digit)"),
        Layout::Interleaved => format!("digit_interleaved(in{input}, {instance}, digit, {count})"),
    }
}

/// A point of an input's spectrum.
fn spectrum(spec: &MulNttSpec, input: usize) -> String {
    let NttInput::Spectrum { broadcast: one, first } = spec.inputs[input] else { return "0".to_owned() };
    let (instance, count) = if one { ("0", "1") } else { ("at.instance", "instances") };
    let load =
        format!("(int)__ldg(in{input} + {first}ull * {count} + spectrum_at(at, {instance}, {count}, t, i))");
    if one { load } else { format!("(at.active ? {load} : 0)") }
}

fn pointwise(spec: &MulNttSpec, product: &Pointwise, arrays: &mut Arrays) -> Value {
    let left = format!("x[{}][i]", product.left);
    let value = match product.right {
        Factor::One => format!("reduce({left}, prime)"),
        Factor::Operand(right) => format!("times_residue({left}, reduce(x[{right}][i], prime), prime)"),
        Factor::Spectrum(input) => format!("times_residue({left}, {}, prime)", spectrum(spec, input)),
    };
    let addend = |addend: &Addend| match *addend {
        Addend::Sum => "sum[inner_base(t) + i]".to_owned(),
        Addend::Spectrum(input) => spectrum(spec, input),
    };
    let addends: Vec<String> = product.addends.iter().map(addend).collect();
    let (store, array) = match product.to {
        Destination::Sum => ("sum[inner_base(t) + i] = z[0][i];".to_owned(), None),
        Destination::Spectrum => {
            let first = spec.residue_words();
            let at = format!("{first}ull * instances + spectrum_at(at, at.instance, instances, t, i)");
            (format!("if (at.active) out[{at}] = (unsigned)z[0][i];"), None)
        }
        Destination::Residues => (String::new(), arrays.next()),
    };
    context! { value, addends, store, array }
}
