//! Kernels of polynomials and of sorting.

use limbforge_algos::transform::elementwise::Elementwise;
use limbforge_field::DynField;
use limbforge_gpu::{Arch, Target};
use limbforge_kernels_gen::poly::{
    ElementwiseSpec, PartSpec, PolyDivSpec, PolyGcdSpec, PolyMulSpec, PolyNewtonSpec, PolyNttSpec,
};
use limbforge_kernels_gen::sort::SortSpec;
use limbforge_kernels_gen::{Limits, Program, SpecError};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use crate::common::nvrtc;

/// Equal specifications render equal text, and every kernel compiles without a warning.
fn check_kernels(p: u64, arch: &str) {
    let nvrtc = nvrtc();
    let arch: Arch = arch.parse().unwrap();
    let field = DynField::new(p).unwrap();
    let limits = &Limits::SM_75;
    let mut kernels = vec![];
    let mut add = |program: Result<Program, SpecError>, most: usize| {
        kernels.extend(program.unwrap().render(limits).unwrap().into_iter().take(most));
    };
    if let Ok(spec) = PolyNttSpec::new(&field, 8000, 8000) {
        add(spec.program(limits), usize::MAX);
    }
    if let Ok(spec) = PolyNewtonSpec::new(&field, 8000, 3000) {
        add(spec.program(limits), usize::MAX);
    }
    for s in [1, 2, 4, 8, 16] {
        let spec = PolyMulSpec::new(&field, 8000, 8000, s, 256).unwrap();
        assert_eq!(spec.program(limits), spec.program(limits));
        add(spec.program(limits), 2);
    }
    add(PolyGcdSpec::new(&field, 10_000, 9000, 256, 768).unwrap().program(limits), 3);
    let key_bits = if p >> 32 == 0 { 32 } else { 64 };
    add(SortSpec::new(1 << 27, key_bits, 8, 256).unwrap().program(limits), 4);
    add(PolyDivSpec::new(&field, 10_000, 5000, 256, 512).unwrap().program(limits), 2);
    add(PartSpec::new(&field, 5000, 2..77).unwrap().program(limits), 1);
    for operation in Elementwise::ALL {
        add(ElementwiseSpec::new(operation, &field, None).unwrap().program(limits), 1);
        add(ElementwiseSpec::new(operation, &field, Some(1000)).unwrap().program(limits), 1);
    }
    for kernel in sample(&format!("{p} {arch}"), kernels, 8) {
        let source = &kernel.source;
        let compiled = nvrtc
            .compile(source, Target::Cubin(arch), &[])
            .unwrap_or_else(|error| panic!("{error}\n{source}"));
        assert!(compiled.log.trim().is_empty(), "{}\n{source}", compiled.log);
    }
}

macro_rules! kernels_compile {
    ($($name:ident: modulo $p:literal for $arch:literal;)*) => {$(
        #[needs(nvrtc)]
        #[test]
        fn $name() {
            check_kernels($p, $arch);
        }
    )*};
}

kernels_compile! {
    kernels_of_31_bits_compile_for_sm_75: modulo 2_013_265_921 for "sm_75";
    kernels_of_31_bits_compile_for_sm_90: modulo 2_013_265_921 for "sm_90";
    kernels_of_31_bits_compile_for_sm_100: modulo 2_013_265_921 for "sm_100";
    kernels_of_64_bits_compile_for_sm_75: modulo 18_446_744_073_709_551_557 for "sm_75";
    kernels_of_64_bits_compile_for_sm_90: modulo 18_446_744_073_709_551_557 for "sm_90";
    kernels_of_64_bits_compile_for_sm_100: modulo 18_446_744_073_709_551_557 for "sm_100";
}

/// nvrtc 13.0 did not end on a power of a constant modulo 3.
#[needs(nvrtc)]
#[test]
fn kernels_of_small_primes_compile() {
    let nvrtc = std::sync::Arc::new(nvrtc());
    for p in sample("small primes", [3, 5, 7, 17, 257, 65_537], 2) {
        let field = DynField::new(p).unwrap();
        let programs = [
            PolyDivSpec::new(&field, 70, 31, 4, 32).unwrap().program(&Limits::SM_75),
            PolyGcdSpec::new(&field, 70, 31, 4, 32).unwrap().program(&Limits::SM_75),
            PolyMulSpec::new(&field, 70, 31, 4, 32).unwrap().program(&Limits::SM_75),
        ];
        let rendered = programs.into_iter().map(|program| program.unwrap().render(&Limits::SM_75).unwrap());
        for kernel in rendered.flatten() {
            let (send, receive) = std::sync::mpsc::channel();
            let (nvrtc, source) = (nvrtc.clone(), kernel.source.clone());
            let target = Target::Cubin("sm_90".parse::<Arch>().unwrap());
            // A compiler that does not end cannot be stopped, but the test can.
            std::thread::spawn(move || {
                send.send(nvrtc.compile(&source, target, &[]).map(|compiled| compiled.log))
            });
            let compiled = receive.recv_timeout(std::time::Duration::from_secs(60));
            let log = compiled.unwrap_or_else(|error| panic!("p = {p}: {error}\n{}", kernel.source)).unwrap();
            assert!(log.trim().is_empty(), "{log}");
        }
    }
}
