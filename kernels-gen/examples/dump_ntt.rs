use limbforge_kernels_gen::ntt::*;
use limbforge_kernels_gen::*;
use limbforge_limb::Layout;
fn main() {
    let env = |k: &str, d: u32| std::env::var(k).ok().and_then(|v| v.parse().ok()).unwrap_or(d);
    let bits: u32 = 1 << env("LOG", 17);
    let form = if std::env::var("WIDE").is_ok() { Form::Wide } else { Form::Low };
    let mut plan = ProductPlan::new(bits / 32, form, 1).unwrap();
    plan.blocks = env("BLOCKS", plan.blocks);
    plan.chunk = env("CHUNK", plan.chunk);
    let ints = |n: &str| NttInput::Integers(InputSpec::integers(n, Layout::InstanceMajor, false));
    let p = |r| Pointwise { left: 0, right: r, addends: vec![], to: Destination::Residues };
    let (inputs, steps) = if std::env::var("SQR").is_ok() {
        (vec![ints("a")], vec![NttStep { operands: vec![0], results: vec![p(Factor::Operand(0))] }])
    } else {
        (vec![ints("a"), ints("b")], vec![NttStep { operands: vec![0, 1], results: vec![p(Factor::Operand(1))] }])
    };
    let spec = MulNttSpec { words: bits / 32, limb: LimbKind::of::<u32>(), inputs, steps, plan: plan.clone(), target: Target::Cuda };
    let k = render_mul_ntt(&spec, &Limits::SM_90).unwrap();
    let out = std::env::var("OUT").unwrap();
    std::fs::write(format!("{out}.cu"), &k.source).unwrap();
    let t: Vec<u8> = product_tables(&plan).iter().flat_map(|w| w.to_le_bytes()).collect();
    std::fs::write(format!("{out}.tab"), t).unwrap();
    println!("{{\"threads\":{},\"ipb\":{},\"planes\":{},\"shared\":{},\"out_words\":{},\"bits\":{},\"inputs\":{},\"primes\":{:?},\"out_digits\":{}}}", k.geometry.threads, k.geometry.instances, k.geometry.planes, k.geometry.shared_bytes, spec.out_words(), bits, spec.inputs.len(), plan.primes.primes(), plan.out_digits);
}
