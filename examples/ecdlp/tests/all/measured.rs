//! `ecdlp bench --store`: walks with their commits.

use super::solved::{ecdlp, text, with_curve};

/// The number after a name in a line of JSON, or the text.
fn field<'l>(line: &'l str, name: &str) -> &'l str {
    let rest = line.split_once(&format!("\"{name}\":")).unwrap().1;
    rest.split([',', '}']).next().unwrap().trim_matches('"')
}

#[test]
fn what_is_measured_is_what_a_solver_stores() {
    let folder = with_curve(48, 3);
    let folder = folder.path();
    let sizes =
        ["--backend", "cpu", "--instances", "8", "--rounds", "2", "--distinguished", "4", "--points", "4"];
    let bench = |store: &str, segments: &str| {
        let arguments = ["bench", "curve.json", "--store", store, "--segments", segments];
        text(folder, &[&arguments[..], &sizes].concat())
    };
    let line = bench("measured", "3");
    let solve = ["solve", "curve.json", "--store", "solved", "--segments", "3"];
    text(folder, &[&solve[..], &sizes].concat());
    let rows = text(folder, &["points", "export", "solved"]);
    assert_eq!(field(&line, "hash"), blake3::hash(rows.as_bytes()).to_hex().as_str());
    assert_eq!(field(&line, "points"), rows.lines().count().to_string());
    assert_eq!(field(&line, "steps"), (3 * 2 * 48 * 8 * 4).to_string());
    assert_eq!(rows, text(folder, &["points", "export", "measured"]));
    // Another amount of walking has other points.
    assert_ne!(field(&bench("longer", "4"), "hash"), field(&line, "hash"));
    let again = ecdlp(folder, &["bench", "curve.json", "--store", "measured"]);
    assert!(String::from_utf8_lossy(&again.stderr).contains("measured: expected no file of this name"));
}
