//! `Engine::prepare`: every engine of this machine against `Engine::eval`, and what it refuses.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::thread;

use limbforge::PlacementError;
use limbforge::num_bigint::{BigInt, BigUint};
use limbforge::prelude::*;

limbforge::limb::limb_newtype! {
    /// A limb that kernels do not read.
    struct Short(u16);
}

/// The CPU, what there is of GPUs, and the one with the CPU behind it.
fn engines() -> Vec<Engine> {
    [Engine::cpu(), Engine::auto()].into_iter().chain(Engine::gpu(0).ok()).collect()
}

fn ty(text: &str) -> IntType {
    text.parse().unwrap()
}

/// Integers of all but the highest bit, which differ from instance to instance and with the seed.
fn batch<B: Base>(ty: IntType, layout: Layout, instances: usize, seed: u64) -> Batch<B> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) as u32
    };
    let words = ty.bits().div_ceil(32);
    let mut value = || BigUint::new((0..words).map(|_| next()).collect()) >> (32 * words - ty.bits() + 1);
    let values: Vec<BigUint> = (0..instances).map(|_| value()).collect();
    let signed: Vec<BigInt> = values.into_iter().map(Into::into).collect();
    Batch::from_bigints(ty, layout, &signed).unwrap()
}

const MAJOR: Layout = Layout::InstanceMajor;
const INTERLEAVED: Layout = Layout::Interleaved;

/// An expression, its type, and where operands and result lie.
fn cases() -> Vec<(&'static str, IntType, Placement)> {
    let major = Placement::default;
    vec![
        ("a*b + c", ty("u131"), major()),
        ("(a*a + b)*(b*b + b) + a*b", ty("u1024"), major().with_layout("b", INTERLEAVED)),
        ("mul_wide(a, b)", ty("u256"), major().with_result(INTERLEAVED)),
        ("a / b - c", ty("u192"), major().with_broadcast("b")),
        ("gcd(a, b) + 1", ty("u96"), Placement::new(INTERLEAVED)),
        ("-a", ty("i64"), Placement::new(INTERLEAVED).with_result(MAJOR)),
    ]
}

/// Operands that lie as they should, and their batches.
fn operands<B: Base>(
    prepared: &Prepared<B>,
    text: &str,
    seed: u64,
    instances: usize,
) -> Vec<(String, Batch<B>)> {
    let at = |(i, name): (usize, &str)| {
        let is_interleaved =
            matches!((text, name), ("(a*a + b)*(b*b + b) + a*b", "b") | ("gcd(a, b) + 1" | "-a", _));
        let layout = if is_interleaved { INTERLEAVED } else { MAJOR };
        let instances = if (text, name) == ("a / b - c", "b") { 1 } else { instances };
        (name.to_owned(), batch(prepared.ty(), layout, instances, seed + 97 * i as u64))
    };
    prepared.operands().enumerate().map(at).collect()
}

fn named<B: Base>(operands: &[(String, Batch<B>)]) -> Vec<(&str, &Batch<B>)> {
    operands.iter().map(|(name, batch)| (&**name, batch)).collect()
}

/// Prepared once and evaluated over many batches, of several numbers of instances, the values are those of
/// `Engine::eval`.
fn prepared_equals_eval<B: Base>(engine: &Engine) {
    for (text, ty, placement) in cases() {
        let expr = Expr::parse(text).unwrap();
        let prepared = engine.prepare::<B>(&expr, ty, &placement).unwrap();
        for (seed, instances) in [(1, 5), (2, 1), (3, 700), (4, 0), (5, 5)] {
            let operands = operands(&prepared, text, seed, instances);
            let inputs = named(&operands);
            let (found, expected) = (prepared.eval(&inputs), engine.eval(&expr, &inputs));
            let (found, expected) = (found.unwrap(), expected.unwrap());
            let place = format!("{text} of {ty}, {instances} instances on {}", engine.device_name());
            assert_eq!((found.ty(), found.instances()), (prepared.result_type(), instances), "{place}");
            assert_eq!(found.to_bigints(), expected.to_bigints(), "{place}");
            for layout in [MAJOR, INTERLEAVED] {
                let mut result = Batch::zeros(prepared.result_type(), layout, instances).unwrap();
                prepared.eval_into(&inputs, &mut result).unwrap();
                assert_eq!(result, found.clone().into_layout(layout), "{place}");
            }
        }
    }
}

#[test]
fn prepared_once_and_evaluated_often_it_equals_eval() {
    for engine in engines() {
        prepared_equals_eval::<u32>(&engine);
        prepared_equals_eval::<u64>(&engine);
        prepared_equals_eval::<u128>(&engine);
    }
}

#[test]
fn batches_larger_than_the_memory_go_through_in_chunks() {
    for engine in engines() {
        prepared_equals_eval::<u64>(&engine.with_device_memory(1 << 17));
    }
}

#[test]
fn clones_share_it_in_several_threads() {
    for engine in engines() {
        let expr = Expr::parse("a*a % b").unwrap();
        let prepared = engine.prepare::<u64>(&expr, ty("u256"), &Placement::default()).unwrap();
        thread::scope(|scope| {
            for seed in 0..4 {
                let (prepared, engine, expr) = (prepared.clone(), engine.clone(), &expr);
                scope.spawn(move || {
                    let [a, b] = [seed, seed + 50].map(|seed| batch(prepared.ty(), MAJOR, 300, seed));
                    let inputs = [("a", &a), ("b", &b)];
                    for _ in 0..3 {
                        assert_eq!(prepared.eval(&inputs).unwrap(), engine.eval(expr, &inputs).unwrap());
                    }
                });
            }
        });
    }
}

#[test]
fn instances_without_a_result_are_named_beside_the_others() {
    let expr = Expr::parse("a / (b - 3)").unwrap();
    let at =
        |values: [u32; 3]| Batch::<u64>::from_biguints(ty("u96"), MAJOR, &values.map(Into::into)).unwrap();
    let (a, b) = (at([10, 20, 30]), at([5, 3, 13]));
    let inputs = [("b", &b), ("a", &a)];
    for engine in engines() {
        let prepared = engine.prepare::<u64>(&expr, ty("u96"), &Placement::default()).unwrap();
        let found = prepared.eval_checked(&inputs).unwrap();
        assert_eq!(found, engine.eval_checked(&expr, &inputs).unwrap());
        assert_eq!((&found.values, found.failures.len()), (&at([5, 0, 3]), 1));
        let text = "instance 1: division by zero: `b - 3` is 0";
        assert_eq!(prepared.eval(&inputs).unwrap_err().to_string(), text);
        let mut result = at([7, 7, 7]);
        assert_eq!(prepared.eval_into(&inputs, &mut result).unwrap_err().to_string(), text);
        assert_eq!(result, found.values);
    }
}

#[test]
fn what_does_not_go_with_the_expression_is_not_prepared() {
    for engine in engines() {
        let refused = |text: &str, placement: Placement| {
            let expr = Expr::parse(text).unwrap();
            engine.prepare::<u64>(&expr, ty("u8"), &placement).unwrap_err()
        };
        for placement in
            [Placement::default().with_broadcast("x"), Placement::default().with_layout("x", INTERLEAVED)]
        {
            let text = "the expression has no operand `x`; expected one of: a, b";
            assert_eq!(refused("a + b", placement).to_string(), text);
        }
        let error = refused("a + 256", Placement::default());
        assert!(matches!(error, EngineError::Eval(EvalError::Type(_))), "{error}");
        let inner = Expr::input("a").mul_wide(&Expr::input("b")) + 1;
        let error = engine.prepare::<u64>(&inner, ty("u64"), &Placement::default()).unwrap_err();
        assert!(matches!(error, EngineError::Eval(EvalError::Type(_))), "{error}");
    }
}

/// Errors say what was expected, what was found, and what to do.
#[test]
fn what_does_not_fit_is_refused() {
    let expr = Expr::parse("a*b + m").unwrap();
    let placement = Placement::default().with_broadcast("m").with_layout("b", INTERLEAVED);
    let of = |ty_text: &str, layout, instances| batch::<u64>(ty(ty_text), layout, instances, 9);
    let (a, b, m) = (of("u256", MAJOR, 3), of("u256", INTERLEAVED, 3), of("u256", MAJOR, 1));
    let good = [("a", &a), ("b", &b), ("m", &m)];
    for engine in engines() {
        let prepared = engine.prepare::<u64>(&expr, ty("u256"), &placement).unwrap();
        let refused = |at: usize, name, batch: &Batch<u64>| {
            let mut inputs = good;
            inputs[at] = (name, batch);
            let error = prepared.eval(&inputs).unwrap_err();
            assert_eq!(prepared.eval_checked(&inputs).unwrap_err().to_string(), error.to_string());
            error.to_string()
        };
        assert!(prepared.eval(&good).is_ok());
        let width = refused(0, "a", &of("u128", MAJOR, 3));
        assert_eq!(width, "input `a` holds u128; expected u256, for which the expression was prepared");
        assert!(refused(2, "m", &of("i256", MAJOR, 1)).contains("`m` holds i256; expected u256"));
        let layout = refused(1, "b", &of("u256", MAJOR, 3));
        assert!(
            layout.starts_with("operand `b` lies instance by instance; expected interleaved"),
            "{layout}"
        );
        assert!(refused(2, "m", &a).starts_with("operand `m` has 3 instances; expected 1, as"));
        let count = refused(1, "b", &of("u256", INTERLEAVED, 2));
        assert!(count.starts_with("operand `b` has 2 instances; expected 3 as in `a`"), "{count}");
        assert!(refused(0, "a", &m).starts_with("operand `b` has 3 instances; expected 1 as in `a`"));
        assert_eq!(refused(0, "x", &a), "the expression has no operand `x`; expected one of: a, b, m");
        assert_eq!(refused(0, "b", &b), "operand `b` is given twice; expected one batch");
        let missing = prepared.eval(&good[1..]).unwrap_err();
        let expected = "the expression uses `a`, which is not among the inputs (b, m)";
        assert_eq!(missing.to_string(), expected);
        let twice = prepared.eval(&[good[0], good[0], good[1], good[2]]).unwrap_err();
        assert!(matches!(twice, EngineError::Placement(PlacementError::Twice { .. })), "{twice}");
    }
}

#[test]
fn a_batch_for_the_result_must_fit_and_may_set_the_number_of_instances() {
    for engine in engines() {
        let placement = Placement::default().with_broadcast("a");
        let square = engine.prepare::<u32>(&Expr::input("a").sqr(), ty("u64"), &placement).unwrap();
        let at = |values: &[u64]| values.iter().map(|&x| UintM::<u32, 2>::from(x)).collect::<Batch<u32>>();
        let a = at(&[9]);
        for instances in [0, 1, 4] {
            let mut result = Batch::zeros(ty("u64"), MAJOR, instances).unwrap();
            square.eval_into(&[("a", &a)], &mut result).unwrap();
            assert_eq!(result, at(&vec![81; instances]));
        }
        let mut other = Batch::zeros(ty("u96"), MAJOR, 2).unwrap();
        let error = square.eval_into(&[("a", &a)], &mut other).unwrap_err().to_string();
        assert_eq!(error, "the batch for the result holds 2 instances of u96; expected 2 of u64");
        let plain = engine.prepare::<u32>(&Expr::input("a").sqr(), ty("u64"), &Placement::default()).unwrap();
        let mut short = Batch::zeros(ty("u64"), MAJOR, 2).unwrap();
        let error = plain.eval_into(&[("a", &at(&[1, 2, 3]))], &mut short).unwrap_err().to_string();
        assert!(error.starts_with("operand `a` has 3 instances; expected 2 as in the batch for the result"));
        let five = engine.prepare::<u32>(&Expr::parse("2 + 3").unwrap(), ty("u64"), &Placement::default());
        assert_eq!(five.unwrap().eval(&[]).unwrap(), at(&[5]));
    }
}

/// Kernels take limbs of 32, 64 and 128 bits: the CPU computes with others, and both say why.
#[test]
fn what_the_gpu_refuses_is_prepared_for_the_cpu_and_says_why() {
    let expr = Expr::parse("a + 1").unwrap();
    let of = |engine: &Engine| engine.prepare::<Short>(&expr, ty("u48"), &Placement::default());
    let auto = Engine::auto();
    let prepared = of(&auto).unwrap();
    let a = batch::<Short>(ty("u48"), MAJOR, 5, 1);
    assert_eq!(prepared.eval(&[("a", &a)]).unwrap(), Engine::cpu().eval(&expr, &[("a", &a)]).unwrap());
    let why = |engine: &Engine| engine.fallback().map(|why| why.to_string());
    assert_eq!(prepared.fallback().map(|why| why.to_string()), why(&auto));
    assert!(prepared.device_name() == "CPU" && prepared.to_string().starts_with("CPU ("));
    assert!(of(&Engine::cpu()).unwrap().fallback().is_none());
    if let Ok(gpu) = Engine::gpu(0) {
        assert!(why(&auto).unwrap().contains("kernels do not read limbs"));
        assert!(of(&gpu).unwrap_err().to_string().contains("kernels do not read limbs"));
    }
}

#[test]
fn on_the_cpu_its_text_has_the_operations_in_order() {
    let expr = Expr::parse("(a*a + b)*(b*b + b) + a*b").unwrap();
    let prepared = Engine::cpu().prepare::<u64>(&expr, ty("u1024"), &Placement::default()).unwrap();
    let text = prepared.to_string();
    assert!(text.starts_with("CPU: 7 operations on u1024 in limbs u64\n  1. %"), "{text}");
    assert_eq!(text.lines().count(), 8, "{text}");
}

#[cfg(feature = "gpu")]
mod gpu {
    use limbforge::gpu::Device;
    use limbforge::kernels_gen::{InputSpec, LimbKind, Product, Program, ProgramSpec, Target};
    use limbforge_needs::needs;

    use super::*;

    /// The text of a prepared expression is the paragraph that `limbforge plan --explain` has of the chosen
    /// kernels.
    #[needs(gpu)]
    #[test]
    fn on_a_gpu_its_text_is_that_of_the_chosen_plan() {
        let info = Device::open(0).unwrap().info().clone();
        let (planner, limits) = (info.planner().0, info.limits());
        let engine = Engine::gpu(0).unwrap();
        for (text, bits) in [("a*b", 4096), ("a + b", 512), ("a*b", 131_072)] {
            let expr = Expr::parse(text).unwrap();
            let ty = IntType::unsigned(bits).unwrap();
            let prepared = engine.prepare::<u64>(&expr, ty, &Placement::default()).unwrap();
            let dag = expr.to_dag();
            let inputs = dag.inputs().map(|name| InputSpec::integers(name, MAJOR, false)).collect();
            let (limb, product, target) = (LimbKind::of::<u64>(), Product::Auto, Target::Cuda);
            let spec = ProgramSpec { dag, ty, limb, inputs, output: MAJOR, product, target };
            let candidates = Program::candidates(&spec, &limits, &planner).unwrap();
            let chosen = candidates.iter().find(|candidate| candidate.is_chosen).unwrap();
            assert_eq!(prepared.to_string(), planner.explain(&spec, &limits, chosen, None).to_string());
            assert!(prepared.to_string().contains("chosen\n"), "{prepared}");
            assert_eq!(prepared.device_name(), info.name);
        }
    }
}

/// What runs on a driver that is compiled from `driver.c`, whose only kernel adds words of 32 bits.
#[cfg(all(feature = "gpu", target_os = "linux"))]
mod made_up {
    use std::path::Path;
    use std::process::Command;

    use limbforge_needs::needs;

    use super::*;

    fn prepare(engine: &Engine, text: &str) -> Prepared<u32> {
        engine.prepare(&Expr::parse(text).unwrap(), ty("u32"), &Placement::default()).unwrap()
    }

    fn adds(prepared: &Prepared<u32>, instances: usize) {
        let [a, b] = [1, 2].map(|seed| batch::<u32>(ty("u32"), MAJOR, instances, seed));
        let sums = prepared.eval(&[("a", &a), ("b", &b)]).unwrap();
        let expected = Engine::cpu().eval(&Expr::parse("a + b").unwrap(), &[("a", &a), ("b", &b)]).unwrap();
        assert!(sums == expected, "{instances} instances");
    }

    #[ignore = "on_a_made_up_driver runs it"]
    #[test]
    fn at_once_and_in_chunks_and_in_several_threads() {
        let engine = Engine::gpu(0).unwrap();
        let at_once = prepare(&engine, "a + b");
        assert_eq!(at_once.device_name(), "made-up GPU");
        let text = at_once.to_string();
        assert!(text.starts_with("classical: no time is known: chosen\n") && text.contains("map="), "{text}");
        let in_chunks = prepare(&engine.with_device_memory(1 << 14), "a + b");
        thread::scope(|scope| {
            for instances in [0, 1, 1000, 5000] {
                let (at_once, in_chunks) = (at_once.clone(), in_chunks.clone());
                scope.spawn(move || {
                    adds(&at_once, instances);
                    adds(&in_chunks, instances);
                });
            }
        });
    }

    #[ignore = "on_a_made_up_driver runs it"]
    #[test]
    fn auto_falls_back_and_says_so() {
        let engine = Engine::auto();
        assert!(engine.fallback().is_none());
        let (sum, short) = (prepare(&engine, "a + b"), &Expr::parse("a + b").unwrap());
        let short = engine.prepare::<Short>(short, ty("u32"), &Placement::default()).unwrap();
        assert!(sum.fallback().is_none() && sum.device_name() == "made-up GPU");
        let why = |found: Option<std::sync::Arc<EngineError>>| found.unwrap().to_string();
        assert!(why(short.fallback()).contains("kernels do not read limbs of type Short"));
        assert_eq!(why(engine.fallback()), why(short.fallback()));
        // No chunk fits: the expression is loaded, and the CPU computes this batch.
        let poor = prepare(&engine.clone().with_device_memory(1), "a + b");
        assert!(poor.fallback().is_none());
        adds(&poor, 10);
        assert!(
            why(poor.fallback()).contains("1 bytes") && sum.fallback().is_none(),
            "{}",
            why(poor.fallback())
        );
        assert_eq!(why(engine.fallback()), why(poor.fallback()));
    }

    #[needs(cc, nvrtc)]
    #[test]
    fn on_a_made_up_driver() {
        let folder = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/gpu/tests/gpu/driver.c");
        let mut compile = Command::new("cc");
        compile.args(["-O1", "-shared", "-fPIC", "-o"]).arg(folder.path().join("libcuda.so")).arg(source);
        compile.arg("-DENTRY=\"limbforge_kernel\"");
        assert!(compile.status().unwrap().success());
        let mut again = Command::new(std::env::current_exe().unwrap());
        again.args(["made_up::", "--ignored"]).env("LD_LIBRARY_PATH", folder.path());
        let output = again.env("LIMBFORGE_CACHE", folder.path()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.contains("2 passed"), "{text}");
    }
}
