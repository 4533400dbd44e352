//! Work over several GPUs of one host beside the same work on one of them.

use std::panic::resume_unwind;
use std::thread;

use limbforge::prelude::*;
use serde_json::{Map, Value, json};

use super::{Outcome, curves, host, links, operand, pinned, put, ratio};

/// An expression over operands of so many bits, of 2^32 bits an operand one instance of `share`.
struct Work {
    name: &'static str,
    expr: &'static str,
    bits: u64,
    share: usize,
    /// The least rate of several GPUs, in rates of one, for each of them.
    goal: f64,
}

const fn work(name: &'static str, expr: &'static str, bits: u64, share: usize, goal: f64) -> Work {
    Work { name, expr, bits, share, goal }
}

const WORKS: [Work; 4] = [
    work("powers", "powmod(a, b, c | 1)", 2048, 16, 0.97),
    work("divisions", "a / (b >> 131072)", 262_144, 1, 0.95),
    work("products", "a * b", 8192, 1, 0.85),
    work("additions", "a + b", 8192, 1, 0.85),
];

/// Where the operands are.
const MEMORIES: [&str; 3] = ["ordinary", "pinned", "resident"];

/// Times on one GPU, which are measured once.
pub(super) type OfOne = Map<String, Value>;

/// Prints a line for each number of GPUs: times of all works on one GPU and on so many.
pub(super) fn measure(counts: &[usize]) -> Outcome {
    let (one, host, mut of_one) = (Engine::gpu(0)?, host::measure()?, OfOne::new());
    for &count in counts {
        let ordinals: Vec<usize> = (0..count).collect();
        let all = Engine::gpus(&ordinals)?;
        let mut rows = Map::new();
        for work in &WORKS {
            let _ = rows.insert(work.name.to_owned(), work.measure(&one, &all, count, &mut of_one)?);
        }
        let curves = curves::measure(&one, &all, count, &mut of_one)?;
        let links = links::measure(count)?;
        let device = all.device_name();
        let line = json!({
            "device": device, "gpus": count, "works": rows, "curves": curves, "links": links, "host": host,
        });
        println!("{line}");
    }
    Ok(())
}

/// The times on one GPU of this name, measured now or before.
pub(super) fn of_one(
    known: &mut OfOne,
    name: &str,
    measure: impl FnOnce(&mut Map<String, Value>) -> Outcome,
) -> Outcome<Map<String, Value>> {
    if let Some(Value::Object(times)) = known.get(name) {
        return Ok(times.clone());
    }
    let mut times = Map::new();
    measure(&mut times)?;
    let _ = known.insert(name.to_owned(), Value::Object(times.clone()));
    Ok(times)
}

impl Work {
    fn measure(&self, one: &Engine, all: &Engine, count: usize, known: &mut OfOne) -> Outcome<Value> {
        let (ty, expr) = (IntType::unsigned(self.bits)?, Expr::parse(self.expr)?);
        let prepared = one.prepare::<u64>(&expr, ty, &Placement::default())?;
        let mut operands = vec![];
        for (i, name) in prepared.operands().enumerate() {
            let batch = operand(ty, i as u64 + 1)?;
            operands.push((name.to_owned(), batch.slice(0..batch.instances() / self.share)));
        }
        let expected = prepared.eval(&borrowed(&operands))?;
        let few: Vec<_> = operands.iter().map(|(name, batch)| (name.clone(), batch.slice(0..20))).collect();
        assert!(Engine::cpu().eval(&expr, &borrowed(&few))? == expected.slice(0..20), "the CPU's results");
        let on = |engine: &Engine, gpus: &str, times: &mut Map<String, Value>| -> Outcome {
            let setting = Setting { engine, expr: &expr, operands: &operands, expected: &expected };
            setting.measure(|memory| format!("{memory}, {gpus}"), times)?;
            assert!(engine.fallback().is_none(), "a GPU has left: {:?}", engine.fallback());
            Ok(())
        };
        let mut times = of_one(known, self.name, |times| on(one, "one", times))?;
        on(all, "all", &mut times)?;
        let of = |memory: &str| ratio(&times, &format!("{memory}, one"), &format!("{memory}, all"));
        let ratios: Map<String, Value> =
            MEMORIES.map(|memory| (memory.to_owned(), json!(of(memory)))).into_iter().collect();
        Ok(json!({
            "expression": self.expr, "bits": self.bits, "instances": expected.instances(),
            "milliseconds": times, "times_as_fast": ratios, "goal": self.goal * count as f64,
        }))
    }
}

type Named = (String, Batch<u64>);

fn borrowed(operands: &[Named]) -> Vec<(&str, &Batch<u64>)> {
    operands.iter().map(|(name, batch)| (&**name, batch)).collect()
}

/// An expression over operands in ordinary memory, on an engine.
struct Setting<'a> {
    engine: &'a Engine,
    expr: &'a Expr,
    operands: &'a [Named],
    expected: &'a Batch<u64>,
}

impl Setting<'_> {
    /// Adds the times with operands in each memory; all results are compared.
    fn measure(&self, name: impl Fn(&str) -> String, times: &mut Map<String, Value>) -> Outcome {
        let ty = self.operands[0].1.ty();
        let prepared = self.engine.prepare::<u64>(self.expr, ty, &Placement::default())?;
        self.host(&prepared, self.operands, &name(MEMORIES[0]), times)?;
        let mut operands = vec![];
        for (operand, batch) in self.operands {
            operands.push((operand.clone(), pinned(self.engine, batch)?));
        }
        self.host(&prepared, &operands, &name(MEMORIES[1]), times)?;
        drop(operands);
        self.resident(&prepared, &name(MEMORIES[2]), times)
    }

    /// Operands and results in memory of the machine; results of pinned operands are pinned.
    fn host(
        &self,
        prepared: &Prepared<u64>,
        operands: &[Named],
        name: &str,
        times: &mut Map<String, Value>,
    ) -> Outcome {
        let inputs = borrowed(operands);
        let mut result = self.engine.eval(self.expr, &inputs)?;
        put(times, name, || Ok(prepared.eval_into(&inputs, &mut result)?))?;
        assert!(result == *self.expected, "results of {name}");
        Ok(())
    }

    /// A part of the operands on each GPU, which a thread of its own starts.
    fn resident(&self, prepared: &Prepared<u64>, name: &str, times: &mut Map<String, Value>) -> Outcome {
        let mut parts = vec![];
        for (operand, batch) in self.operands {
            parts.push((&**operand, self.engine.scatter(batch)?));
        }
        let of_gpu = &|gpu: usize| {
            let inputs: Vec<_> = parts.iter().map(|(operand, parts)| (*operand, &parts[gpu])).collect();
            let result = prepared.run(&inputs)?;
            result.wait().map(|()| result)
        };
        let run = || -> Outcome<Vec<DeviceBatch<u64>>> {
            let results: Result<Vec<_>, _> = thread::scope(|scope| {
                let started: Vec<_> =
                    (0..parts[0].1.len()).map(|gpu| scope.spawn(move || of_gpu(gpu))).collect();
                started
                    .into_iter()
                    .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
                    .collect()
            });
            Ok(results?)
        };
        put(times, name, run)?;
        assert!(DeviceBatch::gather(&run()?)? == *self.expected, "results of {name}");
        Ok(())
    }
}
