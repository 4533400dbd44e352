use limbforge_algos::expr::Expr;
use limbforge_kernels_gen::*;
use limbforge_limb::{IntType, Layout};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let dag = Expr::parse(&a[1]).unwrap().to_dag();
    let inputs = dag.inputs().map(|n| InputSpec::integers(n, Layout::InstanceMajor, false)).collect();
    let spec = ProgramSpec { dag, ty: IntType::unsigned(a[2].parse().unwrap()).unwrap(), limb: LimbKind::of::<u32>(), inputs, output: Layout::InstanceMajor, product: Product::Ntt, target: Target::Cuda };
    let p = Program::new(&spec).unwrap();
    let mut js = vec![];
    for (i, k) in p.render(&Limits::SM_90).unwrap().iter().enumerate() {
        std::fs::write(format!("{}.{i}.cu", a[3]), &k.source).unwrap();
        let g = k.geometry;
        js.push(format!("{{\"threads\":{},\"ipb\":{},\"planes\":{},\"shared\":{},\"inputs\":{:?},\"output\":\"{:?}\"}}", g.threads, g.instances, g.planes, g.shared_bytes, p.launches[i].inputs.iter().map(|s| format!("{s:?}")).collect::<Vec<_>>(), p.launches[i].output));
    }
    for (i, _) in p.tables.iter().enumerate() {
        let t: Vec<u8> = p.table_words(i).iter().flat_map(|w| w.to_le_bytes()).collect();
        std::fs::write(format!("{}.{i}.tab", a[3]), t).unwrap();
    }
    println!("{{\"bits\":{},\"buffers\":{:?},\"result_words\":{},\"launches\":[{}]}}", a[2], p.buffers, p.result_words, js.join(","));
}
