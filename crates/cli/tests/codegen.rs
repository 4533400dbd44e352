//! `limbforge codegen` as a user meets it. Tests that need nvrtc are ignored without one, unless
//! `LIMBFORGE_REQUIRE_NVRTC` is set.

#![cfg(feature = "gpu")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use limbforge_needs::needs;
use serde_json::Value;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_limbforge"));
    command.arg("codegen").args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Standard output of a run that must succeed silently.
fn output(arguments: &[&str]) -> Vec<u8> {
    let output = run(arguments);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()), "{arguments:?}");
    output.stdout
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_slice(&output(&[arguments, &["--json"]].concat())).unwrap()
}

fn fails(output: &Output, status: i32, error: &str) {
    let found = text(&output.stderr);
    assert!(found.starts_with("error: ") && found.contains(error), "`{error}` is not in `{found}`");
    // What is wrong with an expression has its line and the place below.
    let lines = if error.contains('^') || error.contains("does not fit") { 3 } else { 1 };
    assert_eq!(
        (output.status.code(), found.lines().count(), output.stdout.len()),
        (Some(status), lines, 0),
        "{found}"
    );
}

#[test]
fn source_of_any_specification() {
    let source = text(&output(&["a + b", "--bits", "4096"]));
    assert!(source.starts_with("// limbforge kernel: u4096 limb=u64 "), "{source}");
    assert!(source.contains("extern \"C\" __global__"));
    let on = |arch| text(&output(&["a + b", "--bits", "4096", "--emit", "source", "--arch", arch]));
    assert_eq!(on("sm_100"), source);
    // A multiprocessor of 7.5 holds half the threads.
    assert_eq!(on("sm_75"), source.replace("__launch_bounds__(128, 15)", "__launch_bounds__(128, 8)"));
    assert!(source.contains("__launch_bounds__(128, 15)"), "{source}");
    let more = [
        "a * b",
        "--bits",
        "131",
        "--signed",
        "--limb",
        "u32",
        "--layout",
        "interleaved",
        "--broadcast",
        "b",
    ];
    let mapped = [&more[..], &["--limbs-per-thread", "2", "--instances-per-block", "7"]].concat();
    let object = json(&mapped);
    let spec = object["spec"].as_str().unwrap();
    for part in ["i131 limb=u32", "7i", "in=a:interleaved ", "in=b:interleaved:broadcast", "out=interleaved"]
    {
        assert!(spec.contains(part), "{part} is not in {spec}");
    }
    assert_eq!((&object["mapping"]["instances"], &object["geometry"]["instances"]), (&7.into(), &7.into()));
    assert_eq!(
        (object["inputs"][1].as_str(), object["entry"].as_str()),
        (Some("b"), Some("limbforge_kernel"))
    );
    assert_eq!(object["source"].as_str().unwrap().as_bytes(), output(&mapped));
}

#[test]
fn a_file_appears_when_it_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("add.cu");
    let name = path.to_str().unwrap();
    assert!(output(&["a + b", "--bits", "64", "--out", name]).is_empty());
    assert_eq!(fs::read(&path).unwrap(), output(&["a + b", "--bits", "64"]));
    fails(
        &run(&["a + 256", "--bits", "8", "--out", name]),
        1,
        "the literal 256 does not fit u8: it needs 9 bits\n  a + 256\n      ^^^ expected 0 to 2^8 - 1",
    );
    assert_eq!(fs::read(&path).unwrap(), output(&["a + b", "--bits", "64"]));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn literals_that_do_not_fit_a_signed_type() {
    let of_i8 = |expression: &'static str| [expression, "--bits", "8", "--signed"];
    for expression in ["a < 200", "a % 200", "powmod(a, 3, 200)", "a * b + 200"] {
        fails(&run(&of_i8(expression)), 1, "^^^ expected -2^7 to 2^7 - 1: use at least 9 bits");
    }
    fails(&run(&of_i8("root(a, 255)")), 1, "the literal 255 does not fit i8");
    for expression in ["a < -128", "a % -128", "powmod(a, 3, -128)", "a * b + -128"] {
        assert_eq!(run(&of_i8(expression)).status.code(), Some(0), "{expression}");
    }
}

#[test]
fn errors_are_one_line_or_show_the_place() {
    let mapped = |q, ipb| ["a", "--bits", "99999", "--limbs-per-thread", q, "--instances-per-block", ipb];
    fails(&run(&["a +", "--bits", "8"]), 1, "found the end of the expression\n  a +\n     ^\n");
    fails(&run(&["a * b", "--bits", "16777216"]), 1, "a block would have");
    let division =
        "`a / b` takes every width up to 528256 bits in kernels, and some above; found u1048576: use the CPU";
    fails(&run(&["a/b", "--bits", "1048576"]), 1, division);
    fails(&run(&mapped("1", "1024")), 1, "expected at most 1024: use more limbs per thread");
    fails(&run(&mapped("64", "1")), 1, "words per run is 128; expected 1 to 64");
    for (more, error) in [
        (&["--arch", "hopper"][..], "`hopper` is not a GPU architecture: expected sm_"),
        (&["--arch", "sm_70"], "`--arch sm_70`: expected one of sm_75, sm_80, "),
        (&["--arch", "sm_80", "--arch", "sm_90"], "several `--arch` need --emit report"),
        (&["--broadcast", "z"], "`--broadcast z`: the expression does not use `z`"),
        (&["--limbs-per-thread", "4"], "--instances-per-block"),
        (&["--limbs-per-thread", "0", "--instances-per-block", "1"], "0 is not in 1..=64"),
        (&["--emit", "sass"], "invalid value 'sass'"),
        (&["--product", "karatsuba"], "invalid value 'karatsuba'"),
        (&["--kernel", "2"], "`--kernel 2`: expected a number from 1 to 1"),
        (&["--kernel", "0"], "0 is not in 1.."),
    ] {
        fails(&run(&[&["a + b", "--bits", "64"], more].concat()), 2, error);
    }
}

const BY_TRANSFORMS: [&str; 5] = ["(a*a + b)*(b*b + b) + a*b", "--bits", "4096", "--product", "ntt"];

#[test]
fn products_by_transforms_are_several_kernels() {
    let text = text(&output(&BY_TRANSFORMS));
    let heads: Vec<&str> = text.lines().filter(|line| line.starts_with("// ========")).collect();
    let roles = ["transforms", "intermediate", "intermediate", "transforms", "result"];
    let expected: Vec<String> =
        (1..).zip(roles).map(|(i, role)| format!("// ======== kernel {i} of 5: {role} ========")).collect();
    assert_eq!(heads, expected);
    let object = json(&BY_TRANSFORMS);
    let kernels = object["kernels"].as_array().unwrap();
    assert_eq!(kernels.len(), 5);
    for (i, (kernel, role)) in kernels.iter().zip(roles).enumerate() {
        assert_eq!((&kernel["kernel"], &kernel["role"]), (&(i + 1).into(), &role.into()));
        assert_eq!(kernel["transforms"].is_object(), role == "transforms");
        assert_eq!(kernel["mapping"].is_object(), role != "transforms");
        assert!(text.contains(kernel["source"].as_str().unwrap()));
    }
    let transforms = &kernels[3]["transforms"];
    assert_eq!((&transforms["digit_bits"], &transforms["digits"]), (&64.into(), &64.into()));
    assert_eq!((&transforms["points"], &transforms["terms"]), (&128.into(), &2.into()));
    assert_eq!(kernels[3]["geometry"]["planes"], transforms["primes"].as_array().unwrap().len());
    assert!(transforms["spare_bits"].as_f64().unwrap() > 0.0);
    let picked = json(&[&BY_TRANSFORMS[..], &["--kernel", "4"]].concat());
    assert_eq!(&picked, &kernels[3]);
    assert!(output(&[&BY_TRANSFORMS[..], &["--kernel", "4"]].concat()).starts_with(b"// limbforge"));
}

#[test]
fn what_is_faster_is_chosen_by_the_width() {
    let source = |bits, product| output(&["a * b", "--bits", bits, "--product", product]);
    assert_eq!(source("512", "auto"), source("512", "classical"));
    assert_eq!(output(&["a * b", "--bits", "512"]), source("512", "auto"));
    assert_eq!(source("131072", "auto"), source("131072", "ntt"));
    assert_ne!(source("65536", "auto"), source("65536", "classical"));
    assert_eq!(source("4096", "auto"), source("4096", "tensor"));
    let on = |bits, arch, product| output(&["a * b", "--bits", bits, "--arch", arch, "--product", product]);
    assert_eq!(on("4096", "sm_80", "auto"), on("4096", "sm_80", "tensor"));
    assert_eq!(on("1024", "sm_75", "auto"), on("1024", "sm_75", "classical"));
    // Without products all are the same.
    let sum = |product| output(&["a + b", "--bits", "65536", "--product", product]);
    assert_eq!(sum("ntt"), sum("classical"));
    assert_eq!(sum("tensor"), sum("classical"));
}

const ON_TENSOR_CORES: [&str; 5] = ["a * b", "--bits", "10000", "--product", "tensor"];

#[test]
fn a_product_on_tensor_cores_is_one_kernel() {
    let object = json(&ON_TENSOR_CORES);
    assert!(object["spec"].as_str().unwrap().starts_with("mul_tensor u10000 "), "{object}");
    assert_eq!(object["inputs"], serde_json::json!(["a", "b"]));
    let tensor = &object["tensor"];
    assert_eq!((&tensor["tiles"], &tensor["warps_per_instance"]), (&10.into(), &1.into()));
    let block = tensor["warps"].as_u64().unwrap() * tensor["stages"].as_u64().unwrap();
    assert_eq!(object["geometry"]["instances"], block);
    assert!(object["source"].as_str().unwrap().contains("mma.sync.aligned.m16n8k32"));
    let by_warpgroups = |arch| {
        let object = json(&["a * b", "--bits", "65536", "--product", "tensor", "--arch", arch]);
        let source = object["source"].as_str().unwrap();
        assert_eq!(object["tensor"]["warpgroup"], source.contains("wgmma.mma_async"), "{arch}");
        object["tensor"]["warpgroup"] == true
    };
    assert!(by_warpgroups("sm_90a") && !by_warpgroups("sm_90"));
    let with = |more: &[&'static str]| run(&[&ON_TENSOR_CORES[..], more].concat());
    let mapped = ["--limbs-per-thread", "2", "--instances-per-block", "1"];
    fails(&with(&mapped), 2, "`--product tensor` has mappings of its own");
    let wide = ["a * b", "--bits", "264225", "--product", "tensor"];
    fails(&run(&wide), 1, "expected at most 33025 digits");
}

#[test]
fn mappings_of_products() {
    for (bits, mapping, part) in [
        ("4096", "words=32 instances=4", "map=32w.1r.4l.1p.4i"),
        ("4096", "together=2 team=1 warps=4", "plan=4@2w2v4/1of4"),
        ("65536", "threads=32 instances=4", "*5/32t*4 "),
    ] {
        let source = text(&output(&["a*b", "--bits", bits, "--mapping", mapping]));
        assert!(source.contains(part), "{mapping}: {part}");
    }
    for (mapping, why) in [
        ("together=8 team=3 warps=3", "the mapping's warps of an instance is 3; expected 1, 2, 4 or 8"),
        ("words=16 instances=1024", "a block would have 8192 threads; expected at most 1024"),
    ] {
        fails(&run(&["a*b", "--bits", "4096", "--mapping", mapping]), 1, why);
    }
    let of_another = ["a*b", "--bits", "4096", "--product", "ntt", "--mapping", "words=16 instances=1"];
    fails(&run(&of_another), 1, "have no mapping `words=16 instances=1`: expected one of ntt products");
}

#[test]
fn errors_of_programs() {
    let with = |more: &[&'static str]| run(&[&BY_TRANSFORMS[..], more].concat());
    for emit in ["ptx", "cubin"] {
        let error = "this program has 5 kernels: expected --kernel I, from 1 to 5, or --json";
        fails(&with(&["--emit", emit, "--out", "not-written"]), 2, error);
    }
    assert!(!Path::new("not-written").exists());
    fails(&with(&["--kernel", "6"]), 2, "`--kernel 6`: expected a number from 1 to 5");
    let mapped = ["--limbs-per-thread", "2", "--instances-per-block", "1"];
    fails(&with(&mapped), 2, "`--product ntt` has mappings of its own");
    fails(&run(&["a*b", "--bits", "2000000", "--product", "ntt"]), 1, "expected at most 16384 digits");
}

#[test]
fn without_nvrtc_one_line_says_what_to_install() {
    for emit in ["ptx", "cubin", "report"] {
        let mut command = command(&["a + b", "--bits", "64", "--emit", emit]);
        let output = command.env("LIMBFORGE_NVRTC", "/nowhere/nvrtc").output().unwrap();
        fails(&output, 1, "LIMBFORGE_NVRTC is /nowhere/nvrtc, where no libnvrtc is: set it");
    }
}

#[needs(nvrtc)]
#[test]
fn ptx_and_machine_code() {
    let emit = |what| ["a * b + a", "--bits", "512", "--arch", "sm_80", "--emit", what];
    let ptx = text(&output(&emit("ptx")));
    assert!(ptx.contains(".target sm_80") && ptx.contains(".entry limbforge_kernel"), "{ptx}");
    assert_eq!(json(&emit("ptx"))["ptx"].as_str(), Some(ptx.as_str()));
    let cubin = output(&emit("cubin"));
    assert!(cubin.starts_with(b"\x7fELF"));
    let object = json(&emit("cubin"));
    let hexadecimal: String = cubin.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        (object["cubin"].as_str(), object["arch"].as_str()),
        (Some(hexadecimal.as_str()), Some("sm_80"))
    );
    let folder = tempfile::tempdir().unwrap();
    let path: &Path = &folder.path().join("kernel.cubin");
    assert!(output(&[&emit("cubin")[..], &["--out", path.to_str().unwrap()]].concat()).is_empty());
    assert_eq!(fs::read(path).unwrap(), cubin);
}

#[needs(nvrtc)]
#[test]
fn a_report_per_architecture() {
    let two = ["a * b", "--bits", "512", "--emit", "report", "--arch", "sm_80", "--arch", "sm_90"];
    let table = text(&output(&two));
    for part in ["spec: u512 limb=u64 ", "mapping: ", "geometry: ", "nvrtc: ", "\nsm_80 ", "\nsm_90 "] {
        assert!(table.contains(part), "{part} is not in {table}");
    }
    let object = json(&two);
    let rows = object["architectures"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert!((8..=255).contains(&row["registers"].as_u64().unwrap()), "{row}");
        assert_eq!((&row["spill_store_bytes"], &row["stack_bytes"]), (&0.into(), &0.into()), "{row}");
        let (first, again) = (row["compile_ms"].as_f64().unwrap(), row["cached_ms"].as_f64().unwrap());
        assert!(again > 0.0 && again < first, "{row}");
        assert_eq!(row["dynamic_shared_bytes"], object["geometry"]["shared_bytes"]);
        let percent = row["occupancy_percent"].as_f64().unwrap();
        assert!(percent > 0.0 && percent <= 100.0, "{row}");
    }
}

#[needs(nvrtc)]
#[test]
fn an_architecture_that_is_too_small_is_a_row_that_says_why() {
    // 64 staged instances of 2020 bytes do not fit the shared memory of sm_75.
    let wide = [
        "a + b",
        "--bits",
        "16160",
        "--limb",
        "u32",
        "--limbs-per-thread",
        "32",
        "--instances-per-block",
        "40",
    ];
    let report = |archs: &[&'static str]| [&wide[..], &["--emit", "report"], archs].concat();
    let both = report(&["--arch", "sm_75", "--arch", "sm_90"]);
    assert!(text(&output(&both)).contains("sm_75    does not run: a block would need "));
    let rows = json(&both);
    assert!(rows["architectures"][0]["error"].as_str().unwrap().contains("expected at most 65536"), "{rows}");
    assert!(rows["architectures"][1]["registers"].is_u64(), "{rows}");
    fails(&run(&report(&["--arch", "sm_75"])), 1, "shared memory; expected at most 65536");
}

#[needs(nvrtc)]
#[test]
fn a_report_of_a_program() {
    let report = ["a * b", "--bits", "8192", "--product", "ntt", "--emit", "report", "--arch", "sm_90"];
    let table = text(&output(&report));
    for part in [
        "kernel 1 of 2: transforms\n",
        "kernel 2 of 2: result\n",
        "\ntransforms: 256 points in passes of ",
        "\ndigits: 128 of 64 bits; sums of 1 * 128 products of digits leave ",
        " bits below the product of the primes\n",
        "\nkernel  role          arch ",
        "\n     1  transforms    sm_90 ",
        "\n     2  result        sm_90 ",
    ] {
        assert!(table.contains(part), "{part} is not in {table}");
    }
    let object = json(&report);
    let [first, last] = &object["kernels"].as_array().unwrap()[..] else { panic!("{object}") };
    for kernel in [first, last] {
        let row = &kernel["architectures"][0];
        assert!((16..=255).contains(&row["registers"].as_u64().unwrap()), "{row}");
        assert_eq!(row["spill_store_bytes"], 0, "{row}");
        assert_eq!(row["dynamic_shared_bytes"], kernel["geometry"]["shared_bytes"]);
    }
    let picked = [&report[..5], &["--emit", "ptx", "--kernel", "1"]].concat();
    assert!(text(&output(&picked)).contains(".entry limbforge_kernel"));
    let both = json(&[&report[..5], &["--emit", "ptx"]].concat());
    assert_eq!(both["kernels"][0]["ptx"].as_str().unwrap().as_bytes(), output(&picked));
    assert!(both["kernels"][1]["ptx"].is_string());
}
