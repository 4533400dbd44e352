//! The CPU backend on all threads.

use std::{collections::HashMap, time::Instant};

use limbforge::algos::cpu;
use limbforge::algos::expr::{Dag, Expr};
use limbforge::limb::{Base, Batch, IntType};
use limbforge_cli::error::CliError;
use limbforge_cli::gpu::tile::{Tile, instances, repeated};
use limbforge_cli::with_limb;
use limbforge_gpu::Timings;
use limbforge_kernels_gen::Product;
use limbforge_testing::expr::evaluate_checked;
use rayon::prelude::*;

use super::arguments::BenchArguments;
use super::report::{CHECKED, Report};
use super::row::{Case, Measured};
use super::what::What;
use crate::error::LabError;
use crate::operations::{Benchmark, Group};

/// Instances per thread of powers and tests of primality.
const ONCE_OVER: usize = 64;

/// Runs before those that are timed.
const WARMUP: usize = 1;

/// Refuses transforms, and products by the algorithm of a kernel: the CPU backend chooses its own.
pub(super) fn refuse_kernels(what: &What) -> Result<(), LabError> {
    Err(LabError::NeedsGpu {
        what: match what {
            What::Group(Group::Ntt) => "transforms",
            What::Group(Group::Programs | Group::Loops) => "benchmarks of programs",
            What::Group(Group::MulClassical | Group::MulNtt | Group::MulTensor) => {
                "products by the algorithm of a kernel"
            }
            What::Group(Group::PaperTables) => "Oancea and Watt's tables",
            _ => return Ok(()),
        },
    })
}

/// Measures the benchmarks whose products the CPU backend chooses, at all widths with all limbs.
pub(super) fn measure(arguments: &BenchArguments, report: &mut Report<'_>) -> Result<(), LabError> {
    let mut benchmarks = arguments.what.benchmarks();
    benchmarks.retain(|one| one.product == Product::Auto);
    for &ty in &arguments.bits.0 {
        for &limb in &arguments.limb {
            with_limb!(limb, B => width::<B>(arguments, &benchmarks, ty, report)?);
        }
    }
    Ok(())
}

fn width<B: Base>(
    arguments: &BenchArguments,
    benchmarks: &[Benchmark],
    ty: IntType,
    report: &mut Report<'_>,
) -> Result<(), LabError> {
    let batch_bits = arguments.batch_bits();
    let all = instances(ty, batch_bits);
    let operands = benchmarks.iter().map(Benchmark::operands).max().unwrap_or(0).max(2);
    let mut tile = Tile::<B>::new(ty, all, operands)?;
    for benchmark in benchmarks {
        tile.set_second(benchmark.second);
        tile.set_shared(benchmark.shared.as_deref())?;
        let most = (ONCE_OVER * rayon::current_num_threads()) as u64;
        let instances = if benchmark.is_measured_once_over() { all.min(most) } else { all };
        let dag = Expr::parse(&benchmark.expression)?.to_dag();
        let batches = whole_batches(&tile, &dag, instances)?;
        let named: Vec<(&str, &Batch<B>)> = batches.iter().map(|(name, batch)| (*name, batch)).collect();
        let measured = time(&dag, &named, ty, arguments.repeats())?;
        let case = Case { benchmark, limb: B::NAME, bits: ty.bits(), instances, batch_bits, device: "" };
        report.add(case.row("cpu", Ok(measured)))?;
    }
    Ok(())
}

/// The operands of an expression as whole batches; a shared operand stays one instance.
fn whole_batches<B: Base>(
    tile: &Tile<B>,
    dag: &Dag,
    instances: u64,
) -> Result<Vec<(&'static str, Batch<B>)>, LabError> {
    let whole = |(name, batch): (&'static str, &Batch<B>)| {
        let count = if batch.instances() == 1 { 1 } else { usize::try_from(instances).unwrap_or(usize::MAX) };
        let limbs = repeated(batch, count);
        let batch = Batch::from_limbs(batch.ty(), batch.layout(), limbs).map_err(cpu::EvalError::from)?;
        Ok((name, batch))
    };
    tile.named(dag).into_iter().map(whole).collect()
}

/// Times the expression, after some of its results were compared.
fn time<B: Base>(
    dag: &Dag,
    named: &[(&str, &Batch<B>)],
    ty: IntType,
    repeats: u32,
) -> Result<Measured, LabError> {
    let first = cpu::eval_checked(dag, named)?;
    validate(dag, named, ty, &first)?;
    let bytes = named.iter().map(|(_, batch)| size_of_val(batch.limbs())).sum::<usize>()
        + size_of_val(first.values.limbs());
    drop(first);
    let run = || {
        let start = Instant::now();
        let results = cpu::eval_checked(dag, named)?;
        let elapsed = start.elapsed();
        drop(results);
        Ok::<_, LabError>(1e3 * elapsed.as_secs_f64())
    };
    let mut times = (0..WARMUP + repeats as usize).map(|_| run()).collect::<Result<Vec<_>, _>>()?;
    let Timings { median_ms, min_ms, .. } = Timings::new(times.split_off(WARMUP));
    let (median_ms, min_ms) = (Some(median_ms), Some(min_ms));
    Ok(Measured {
        bytes: Some(bytes as u64),
        median_ms,
        min_ms,
        launches: Some(vec![]),
        ..Measured::default()
    })
}

/// Compares the first results, and the instances without one, with num-bigint.
fn validate<B: Base>(
    dag: &Dag,
    named: &[(&str, &Batch<B>)],
    ty: IntType,
    found: &cpu::Checked<B>,
) -> Result<(), LabError> {
    let value = |batch: &Batch<B>, i: usize| {
        limbforge_testing::oracle::value(&batch.instance(if batch.instances() == 1 { 0 } else { i }))
    };
    let is_wrong = |&i: &usize| {
        let variables: HashMap<&str, _> =
            named.iter().map(|(name, batch)| (*name, value(batch, i).into())).collect();
        let fails = found.failures.iter().any(|failure| failure.instance == i);
        match evaluate_checked(dag, &variables, ty) {
            Ok(expected) => fails || value(&found.values, i) != expected,
            Err(_) => !fails,
        }
    };
    let count = found.values.instances().min(CHECKED);
    match (0..count).into_par_iter().find_first(is_wrong) {
        None => Ok(()),
        Some(instance) => Err(CliError::CpuDiffers { spec: format!("{ty} {dag}"), instance }.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_result_is_noticed() {
        let ty = IntType::unsigned(96).unwrap();
        let tile = Tile::<u64>::new(ty, 100, 2).unwrap();
        let dag = |text: &str| Expr::parse(text).unwrap().to_dag();
        let (quotient, product) = (dag("a / b"), dag("a * b"));
        let named = tile.named(&quotient);
        let found = cpu::eval_checked(&quotient, &named).unwrap();
        assert!(!found.failures.is_empty() && validate(&quotient, &named, ty, &found).is_ok());
        let error = validate(&product, &named, ty, &found).unwrap_err().to_string();
        assert!(error.starts_with("u96 ") && error.contains("num-bigint"), "{error}");
    }

    #[test]
    fn a_shared_operand_stays_one() {
        let mut tile = Tile::<u32>::new(IntType::unsigned(64).unwrap(), 64, 3).unwrap();
        tile.set_shared(Some("c")).unwrap();
        let dag = Expr::parse("mulmod(a, b, c)").unwrap().to_dag();
        let counts: Vec<_> =
            whole_batches(&tile, &dag, 1000).unwrap().iter().map(|(_, b)| b.instances()).collect();
        assert_eq!(counts, [1000, 1000, 1]);
    }
}
