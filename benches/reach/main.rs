//! What a user times: products of batches in the machine's memory and on a GPU, from call to result.
//!
//! `cargo run --release -p limbforge-benches --bin reach -- 8192 2048` prints a line of JSON for each width:
//! medians of 5 runs in milliseconds of batches of 2^32 bits an operand, every result compared first. After
//! `several` (`reach several 2048 8192`) they are those of several expressions in one run beside each alone; after
//! `powers` and `powers-one` those of powers in batches of all sizes, with a modulus each and with one; after `gpus` (`reach gpus 2 4`) those of work on so many GPUs beside one.

mod curves;
mod gpus;
mod host;
mod links;
mod powers;
mod several;

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use limbforge::gpu::{Compiler, Device, DeviceBuffer, LoadedProgram};
use limbforge::kernels_gen::{InputSpec, LimbKind, Product, Program, ProgramSpec, Target};
use limbforge::prelude::*;
use serde_json::{Map, Value, json};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Runs before those that count, and runs that count.
const WARMUP: usize = 2;
const RUNS: usize = 5;

/// Evaluations that follow each other without a wait.
const CHAIN: usize = 10;

fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1).peekable();
    let what = arguments.next_if(|argument| argument.parse::<u64>().is_err());
    if what.as_deref() == Some("gpus") {
        return gpus::measure(&arguments.map(|count| count.parse()).collect::<Result<Vec<_>, _>>()?);
    }
    for number in arguments {
        let measured = match what.as_deref() {
            None => Setting::new(number.parse()?)?.measure()?,
            Some("several") => several::measure(number.parse()?)?,
            Some("powers") => powers::measure(number.parse()?, powers::Modulus::OfEach)?,
            Some("powers-one") => powers::measure(number.parse()?, powers::Modulus::OfAll)?,
            Some(other) => {
                return Err(
                    format!("expected several, powers, powers-one, gpus or bits, found {other}").into()
                );
            }
        };
        println!("{measured}");
    }
    Ok(())
}

/// A width, an engine, and batches of ordinary memory.
struct Setting {
    ty: IntType,
    engine: Engine,
    device: Device,
    a: Batch<u64>,
    b: Batch<u64>,
    product: Prepared<u64>,
    expected: Batch<u64>,
}

/// 2^32 bits of integers that differ with the seed.
fn operand(ty: IntType, seed: u64) -> Outcome<Batch<u64>> {
    let words = (1_u64 << 32) / u64::from(ty.bits()) * u64::from(ty.bits()) / 64;
    let word = |i: u64| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    Ok(Batch::from_limbs(ty, Layout::InstanceMajor, (0..words).map(word).collect())?)
}

impl Setting {
    fn new(bits: u64) -> Outcome<Self> {
        let ty = IntType::unsigned(bits)?;
        let (a, b, engine, device) = (operand(ty, 1)?, operand(ty, 2)?, Engine::gpu(0)?, Device::open(0)?);
        let product = engine.prepare::<u64>(&Expr::parse("a * b")?, ty, &Placement::default())?;
        let expected = product.eval(&[("a", &a), ("b", &b)])?;
        let few = |batch: &Batch<u64>| batch.slice(0..100);
        let on_cpu = Engine::cpu().eval(&Expr::parse("a * b")?, &[("a", &few(&a)), ("b", &few(&b))])?;
        assert!(few(&expected) == on_cpu, "the GPU's products are the CPU's");
        Ok(Self { ty, engine, device, a, b, product, expected })
    }

    fn measure(&self) -> Outcome<Value> {
        let mut times = Map::new();
        self.host(&mut times)?;
        self.pinned(&mut times)?;
        self.resident(&mut times)?;
        let (bits, instances) = (self.ty.bits(), self.a.instances());
        let device = self.device.info().name.clone();
        Ok(json!({ "device": device, "bits": bits, "instances": instances, "milliseconds": times }))
    }

    /// Batches of ordinary memory.
    fn host(&self, times: &mut Map<String, Value>) -> Outcome {
        let inputs = [("a", &self.a), ("b", &self.b)];
        put(times, "eval", || Ok(self.product.eval(&inputs)?))?;
        let mut result = Batch::zeros(self.ty, Layout::InstanceMajor, self.a.instances())?;
        put(times, "eval into a batch in memory", || Ok(self.product.eval_into(&inputs, &mut result)?))?;
        assert!(result == self.expected);
        put(times, "upload one operand", || {
            self.engine.upload(&self.a)?.wait()?;
            Ok(())
        })?;
        let resident = self.engine.upload(&self.a)?;
        put(times, "download one operand", || Ok(resident.download()?))
    }

    /// Operands in pinned memory, and so are the results.
    fn pinned(&self, times: &mut Map<String, Value>) -> Outcome {
        let (a, b) = (pinned(&self.engine, &self.a)?, pinned(&self.engine, &self.b)?);
        let (expr, inputs) = (Expr::parse("a * b")?, [("a", &a), ("b", &b)]);
        put(times, "eval, pinned", || {
            drop(self.engine.eval(&expr, &inputs)?);
            Ok(())
        })?;
        let mut result = self.engine.eval(&expr, &inputs)?;
        assert!(self.device.is_pinned(bytemuck::cast_slice(result.limbs())), "results are pinned, too");
        put(times, "eval into a batch, pinned", || Ok(self.product.eval_into(&inputs, &mut result)?))?;
        assert!(result == self.expected);
        put(times, "upload one operand, pinned", || {
            self.engine.upload(&a)?.wait()?;
            Ok(())
        })?;
        let resident = self.engine.upload(&self.a)?;
        put(times, "download one operand, pinned", || {
            assert!(resident.download_into(&mut result)?.is_empty());
            Ok(())
        })?;
        assert!(result == self.a);
        let loaded = loaded(&self.device, "a * b", &[("a", false), ("b", false)], self.ty)?;
        let (a, b) = (self.device.upload(a.limbs())?, self.device.upload(b.limbs())?);
        self.kernel(&loaded, [&a, &b], times)
    }

    /// The kernels alone, by the GPU's clock.
    fn kernel(
        &self,
        loaded: &LoadedProgram,
        inputs: [&DeviceBuffer; 2],
        times: &mut Map<String, Value>,
    ) -> Outcome {
        let instances = self.a.instances() as u64;
        let scratch = self.device.scratch(loaded, instances)?;
        let mut output = self.device.alloc(inputs[0].bytes())?;
        let run = || self.device.run_program(loaded, &inputs, &scratch, &mut output, instances);
        let timings = self.device.time(WARMUP, 4 * RUNS, run)?;
        let _ = times.insert("kernels".to_owned(), json!(timings.median_ms));
        Ok(())
    }

    /// Batches on the GPU.
    fn resident(&self, times: &mut Map<String, Value>) -> Outcome {
        let (a, b) = (self.engine.upload(&self.a)?, self.engine.upload(&self.b)?);
        put(times, "resident", || Ok(self.product.run(&[("a", &a), ("b", &b)])?.wait()?))?;
        put(times, "a chain of ten resident", || {
            let mut x = a.clone();
            for _ in 0..CHAIN {
                x = self.product.run(&[("a", &x), ("b", &b)])?;
            }
            Ok(x.wait()?)
        })?;
        assert!(self.product.run(&[("a", &a), ("b", &b)])?.download()? == self.expected);
        Ok(())
    }
}

/// The kernels of an expression for batches on the GPU, by the algorithms that are planned for the width.
fn loaded(device: &Device, text: &str, operands: &[(&str, bool)], ty: IntType) -> Outcome<LoadedProgram> {
    let input =
        |&(name, broadcast): &(&str, bool)| InputSpec::integers(name, Layout::InstanceMajor, broadcast);
    let spec = ProgramSpec {
        dag: Expr::parse(text)?.to_dag(),
        ty,
        limb: LimbKind::of_any::<u64>()?,
        inputs: operands.iter().map(input).collect(),
        output: Layout::InstanceMajor,
        product: Product::Auto,
        target: Target::Cuda,
    };
    let info = device.info();
    let (program, kernels) = Program::with_kernels(&spec, &info.limits(), &info.planner().0)?;
    let compiler = Arc::new(Compiler::from_environment()?);
    Ok(device.load_program(&compiler, &program, &kernels)?)
}

/// A copy of a batch in pinned memory.
fn pinned(engine: &Engine, batch: &Batch<u64>) -> Outcome<Batch<u64>> {
    let mut pinned = engine.pinned(batch.ty(), batch.layout(), batch.instances())?;
    pinned.limbs_mut().copy_from_slice(batch.limbs());
    Ok(pinned)
}

/// How many times as long one of two measured works took as the other.
fn ratio(times: &Map<String, Value>, one: &str, all: &str) -> Option<f64> {
    Some(times[one].as_f64()? / times[all].as_f64()?)
}

/// Adds the median time of `run` in milliseconds.
fn put<T>(times: &mut Map<String, Value>, what: &str, run: impl FnMut() -> Outcome<T>) -> Outcome {
    put_of(RUNS, times, what, run)
}

/// The same of so many runs that count.
fn put_of<T>(
    runs: usize,
    times: &mut Map<String, Value>,
    what: &str,
    mut run: impl FnMut() -> Outcome<T>,
) -> Outcome {
    let mut all = vec![];
    for _ in 0..WARMUP.min(runs - 1) + runs {
        let start = Instant::now();
        drop(run()?);
        all.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let counted = &mut all[WARMUP.min(runs - 1)..];
    counted.sort_by(f64::total_cmp);
    let median = (counted[runs / 2] * 1e3).round() / 1e3;
    let _ = times.insert(what.to_owned(), json!(median));
    Ok(())
}
