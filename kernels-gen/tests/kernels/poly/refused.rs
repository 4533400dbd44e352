//! Shapes that there is no kernel for.

use limbforge_field::DynField;
use limbforge_kernels_gen::poly::{PolyDivSpec, PolyGcdSpec, PolyMulSpec};
use limbforge_kernels_gen::{Limits, SpecError};

#[test]
fn what_is_not_there_is_refused() {
    let field = DynField::new(97).unwrap();
    let mul = |n, m, s, threads| PolyMulSpec::new(&field, n, m, s, threads);
    let gcd = |n, m, s, threads| PolyGcdSpec::new(&field, n, m, s, threads);
    for (n, m, s, threads, what, found) in [
        (0, 1, 1, 32, "terms of a", 0),
        (1, (1 << 26) + 1, 1, 32, "terms of b", (1 << 26) + 1),
        (1, 1, 0, 32, "s", 0),
        (1, 1, 1 << 14, 32, "s", 1 << 14),
        (1, 1, 1, 2048, "threads", 2048),
        (1, 1, 1, 48, "threads mod 32", 16),
    ] {
        let wrong =
            |error| matches!(error, SpecError::Mapping { what: w, found: f, .. } if (w, f) == (what, found));
        assert!(mul(n, m, s, threads).is_err_and(wrong), "{what}");
        assert!(gcd(n, m, s, threads).is_err_and(wrong), "{what}");
    }
    let div = |n, m, s, threads| PolyDivSpec::new(&field, n, m, s, threads);
    assert!(matches!(div(4, 5, 1, 32), Err(SpecError::Mapping { what: "terms of a", found: 4, .. })));
    assert!(div(5, 5, 0, 32).is_err() && div(5, 5, 1, 33).is_err() && div(5, 0, 1, 32).is_err());
    let steps = div(100, 100, 8192, 1024).unwrap().program(&Limits::SM_75);
    assert_eq!(steps, Err(SpecError::SharedMemory { needed: 4 * (6 * 8192 - 1), limit: 64 << 10 }));
    let long = mul(1 << 26, 1 << 26, 1, 32).unwrap().program(&Limits::SM_90);
    assert!(matches!(long, Err(SpecError::Mapping { what: "blocks of an instance", .. })));
    let wide = mul(100, 100, 64, 1024).unwrap();
    let refused = SpecError::SharedMemory { needed: 4 * (64 * 1024 + 127), limit: 227 << 10 };
    assert_eq!(wide.program(&Limits::SM_90), Err(refused));
    let steps = gcd(100, 100, 8192, 1024).unwrap().program(&Limits::SM_75);
    assert_eq!(steps, Err(SpecError::SharedMemory { needed: 24 * 8192, limit: 64 << 10 }));
}
