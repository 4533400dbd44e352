//! Inputs and results.

use crate::Folder;

#[test]
fn inputs_are_files_numbers_and_ranges() {
    let folder =
        Folder::new(&[("n.txt", "15\n9\n7\n"), ("7", "8\n"), ("sum.lf", "in a, b\nout s = a + b\n")]);
    let run = |inputs: &str| folder.ok(&format!("sum.lf --format dec --bits 64 --out s=- {inputs}"));
    assert_eq!(run("--in a=n.txt --in b=1..3"), "16\n11\n10\n");
    assert_eq!(run("--in a=n.txt --in b=0x10"), "31\n25\n23\n");
    // A number is not a file; a path is.
    assert_eq!((run("--in a=7 --in b=1"), run("--in a=@7 --in b=1")), ("8\n".into(), "9\n".into()));
    assert_eq!((run("--in a=./7 --in b=1"), run("--in a=lcm:10 --in b=1")), ("9\n".into(), "2521\n".into()));
    assert_eq!(run("--in a=primes:1..6 --in b=prime:14"), "19\n20\n22\n");
    // Widths: of all, of one, and what a number needs.
    let wide = |options: &str| folder.ok(&format!("sum.lf --in a=255 --in b=1 --out s=- {options}"));
    assert_eq!(
        (wide(""), wide("--bits 8"), wide("--bits a=8 --bits b=8")),
        ("100\n".into(), "0\n".into(), "0\n".into())
    );
    assert_eq!(wide("--bits a=u8 --bits b=u200"), "100\n");
    let signed = "sum.lf --in a=-3 --in b=1 --bits 7 --signed --out s=- --format dec";
    assert_eq!(folder.ok(signed), "-2\n");
    let arrays = "in a: [u16; 3]\nout s = a[0] + a[1] + a[2], back = (a[2], a[1])\n";
    std::fs::write(folder.path("arrays.lf"), arrays).unwrap();
    let table = folder.ok("arrays.lf --format dec --in a=1..6");
    assert_eq!(table, "s\tback[0]\tback[1]\n6\t3\t2\n15\t6\t5\n");
}

#[test]
fn results_go_to_their_files() {
    let folder = Folder::new(&[("div.lf", "in a, b\nout q = a / b, r = a % b\n"), ("b.txt", "3\n0\n5\n")]);
    let arguments = "div.lf --bits 16 --format dec --in a=17 --in b=b.txt";
    let error = "error: div.lf:2:9: instance 2: division by zero (DIV0)\n  out q = a / b, r = a % b\n";
    let fails = folder.fails(&format!("{arguments} --out q=q.txt --out r=r.txt"), 1);
    assert!(fails.starts_with(error), "{fails}");
    assert!(!folder.path("q.txt").exists() && !folder.path("r.txt").exists());
    let marked = format!("{arguments} --on-error mark --out q=q.txt --out r=r.txt.gz --out-table all.csv");
    let output = folder.run(&marked);
    assert!(
        crate::text(&output.stderr).starts_with("instances that failed, marked: 1; the first is div.lf:2:9")
    );
    assert_eq!(folder.text("q.txt"), "5\n!DIV0\n3\n");
    assert_eq!(folder.text("all.csv"), "q,r\n5,2\n!DIV0,!DIV0\n3,2\n");
    assert_eq!(std::fs::read(folder.path("r.txt.gz")).unwrap()[..2], [0x1f, 0x8b]);
    folder.ok("div.lf --bits 24 --format bin --in a=0x010203 --in b=1 --out q=q.bin");
    assert_eq!(std::fs::read(folder.path("q.bin")).unwrap(), [3, 2, 1]);
}

#[test]
fn wrong_usage_says_what_to_do() {
    let folder =
        Folder::new(&[("sum.lf", "in a\nin b: u8\nout s = a + b\n"), ("bad.lf", "in a\nout s = a +* 2\n")]);
    for (arguments, expected) in [
        ("sum.lf --in a=1", "the program's input `b` is missing: expected --in b=..."),
        ("sum.lf --in a=1 --in b=2 --in c=3", "the program has no input `c`; its inputs are a, b"),
        ("sum.lf --in a=1 --in a=2 --in b=2", "`--in a=...` is given twice"),
        ("sum.lf --in a=n.txt --in b=2", "expected --bits N, or --bits a=N"),
        ("sum.lf --in a=1 --in b=300", "`--in b=300`"),
        ("sum.lf --in a=1 --in b=2 --bits b=9", "the program says the type of `b`"),
        ("sum.lf --in a=1 --in b=2 --out t=t.txt", "the program has no result `t`; its results are s"),
        ("sum.lf --in a=1 --in b=2 --out s=t --out-table t", "two outputs go to t"),
        ("sum.lf --in a=1 --in b=2 --format bin", "a table has no binary records"),
        ("sum.lf --in a=2..1 --in b=2", "from the lower to the higher one"),
        ("sum.lf --in a=1 --in b=2 --save-ecm s.txt", "`--save-ecm` needs the input `N`"),
        ("--in a=1", "required arguments were not provided"),
    ] {
        let error = folder.fails(arguments, 2);
        assert!(error.starts_with("error: ") && error.contains(expected), "{arguments}: {error}");
    }
    let error = folder.fails("bad.lf --in a=1", 1);
    assert!(
        error.starts_with("error: bad.lf:2:12: expected") && error.contains("\n  out s = a +* 2\n"),
        "{error}"
    );
    let error = folder.fails("sum.lf --in a=missing.txt --bits 8 --in b=2", 1);
    assert!(error.starts_with("error: missing.txt: cannot open"), "{error}");
    let error = folder.fails("sum.lf --in a=1..3 --bits 8 --in b=1..2", 1);
    assert!(error.contains("input `b` has 2 instances; expected 3 as in `a`"), "{error}");
}
