//! Save files of GMP-ECM.

use std::io::ErrorKind;
use std::process::{Command, Stdio};

use num_bigint::BigUint;

use crate::Folder;

/// A number without factors that the curve below finds.
const N: &str = "6739340742871578950138504155124653739612188365650969529085872576177285318559556786703601108033240997\
                 229916897506925207756232687";

/// The line of GMP-ECM 7.0.5 for `ecm -param 3 -sigma 3:9829216 -save FILE 1000 0`, without the program's fields.
const SAVED: &str = "SIGMA=9829216; B1=1000; \
                     N=67393407428715789501385041551246537396121883656509695290858725761772853185595567867036011080332\
                     40997229916897506925207756232687; \
                     X=0x1c7b49851242528b5e75695e30bfb388c505bf076427715ca2c187117ef1b4fc2320ed8f3f13d0b66859f0d20f7f\
                     74d0f2a8f4ba16; CHECKSUM=377937013; ";

#[test]
fn a_save_file_is_that_of_gmp_ecm() {
    let folder = Folder::new(&[]);
    let run = |options: &str| folder.ok(&format!("ecm.lf --in N={N} --in sigma=9829216 {options}"));
    assert_eq!(run("--in s=lcm:1000 --save-ecm save.txt"), "");
    let saved = folder.text("save.txt");
    assert!(saved.starts_with(&format!("METHOD=ECM; PARAM=3; {SAVED}PROGRAM=limbforge ")), "{saved}");
    assert!(saved.ends_with("; X0=0x0; Y0=0x0;\n") && saved.lines().count() == 1, "{saved}");
    // B1 of another exponent must be given.
    let options = format!("ecm.lf --in N={N} --in sigma=7 --in s=2520 --save-ecm other.txt");
    assert!(folder.fails(&options, 2).contains("expected --b1 B1"));
    folder.ok(&format!("{options} --b1 10"));
    assert!(folder.text("other.txt").contains("; B1=10; "));
}

/// The curves of GMP-ECM's tests of its kernels (`test.gpuecm`): all but the fourth find a factor in stage 1.
#[test]
fn curves_find_what_gmp_ecm_finds() {
    let (folder, one) = (Folder::new(&[]), BigUint::from(1_u8));
    let composite = BigUint::parse_bytes(b"458903930815802071188998938170281707063809443792768383215233", 10);
    let fermat = (BigUint::from(5_u8).pow(139) + &one) / 6_u8;
    for (n, sigma, bound, finds) in [
        (composite.unwrap(), 227_u32, 125, true),
        ((BigUint::from(1_u8) << 349) - &one, 279, 587, true),
        (fermat.clone(), 2_829_874_052, 1000, true),
        (fermat, 9_829_216, 1000, false),
        ((BigUint::from(1_u8) << 1018) - &one, 92, 4, true),
    ] {
        let inputs = format!("--in N={n} --in s=lcm:{bound} --in sigma={sigma}");
        let found = folder.ok(&format!("ecm.lf {inputs} --format dec --out factor=-"));
        let factor = BigUint::parse_bytes(found.trim().as_bytes(), 10).unwrap();
        let is_proper = one < factor && factor < n && &n % &factor == BigUint::ZERO;
        assert_eq!(is_proper, finds, "sigma 3:{sigma}, B1 = {bound}: {factor}");
    }
}

/// Curves that find a factor have no residue to continue from.
#[test]
fn curves_that_find_a_factor_have_no_line() {
    let folder = Folder::new(&[]);
    // 2^9 - 1 = 7 * 73
    let output =
        folder.run("ecm.lf --in N=511 --in s=lcm:30 --in sigma=1..3 --save-ecm save.txt --out factor=-");
    let found = crate::text(&output.stdout).lines().filter(|line| *line != "1").count();
    assert!(found > 0 && output.status.success());
    assert_eq!(folder.text("save.txt").lines().count(), 3 - found);
    let said = format!("curves without a line in the save file, as stage 1 has found a factor: {found}\n");
    assert_eq!(crate::text(&output.stderr), said);
}

/// GMP-ECM's stage 2 goes on from the save file and finds the factor of which stage 1 leaves the larger prime:
/// where `ecm` is installed.
#[test]
fn stage_2_of_gmp_ecm_reads_the_save_file() {
    let ecm = Command::new("ecm").arg("-printconfig").output();
    if ecm.is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        eprintln!("ecm is not installed: its stage 2 is not run");
        return;
    }
    let folder = Folder::new(&[]);
    // 1000003 * 1000000007
    let n = "1000003007000021";
    folder.ok(&format!("ecm.lf --in N={n} --in s=lcm:20 --in sigma=1..40 --save-ecm save.txt"));
    let lines = folder.text("save.txt").lines().count();
    assert!(lines > 30, "stage 1 alone finds too much: {lines} lines");
    let output = Command::new("ecm")
        .args(["-resume", "save.txt", "20", "10000"])
        .current_dir(folder.path("."))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let (said, error) = (crate::text(&output.stdout), crate::text(&output.stderr));
    let resumed = said.matches("Resuming ECM residue saved").count();
    assert!(resumed > 0 && resumed <= lines, "{said}{error}");
    assert!(!said.contains("checksum") && !error.contains("checksum"), "{said}{error}");
    assert!(said.contains("Factor found in step 2: 1000003"), "{said}{error}");
}
