//! gzip and zstd, of inputs and of results.

use std::fs;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::{Folder, fails, ok, ok_with_input, text};

/// Of the program zstd, level 3: 50 lines `12345678`, with a checksum.
const BY_ZSTD: [u8; 29] = [
    0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x85, 0x00, 0x00, 0x48, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37,
    0x38, 0x0a, 0x01, 0x00, 0xb6, 0x54, 0xcb, 0x11, 0x91, 0x5f, 0x00, 0xaf,
];

/// A frame that decoders skip, with three bytes.
const SKIPPED: [u8; 11] = [0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, b'x', b'y', b'z'];

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(vec![], Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &[u8]) -> Vec<u8> {
    compress_to_vec(text, CompressionLevel::Fastest)
}

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut text = vec![];
    MultiGzDecoder::new(bytes).read_to_end(&mut text).unwrap();
    text
}

fn unzstd(bytes: &[u8]) -> Vec<u8> {
    let mut text = vec![];
    StreamingDecoder::new(bytes).unwrap().read_to_end(&mut text).unwrap();
    text
}

/// Packed bytes and the lines that they hold.
fn packed() -> [(&'static str, Vec<u8>, &'static str); 6] {
    [
        ("gz", gzip(b"3\n4\n"), "6\n8\n"),
        ("zst", zstd(b"3\n4\n"), "6\n8\n"),
        // Members and frames follow each other, and need not end with lines.
        ("gz", [gzip(b"3"), gzip(b""), gzip(b"\n4\n5")].concat(), "6\n8\na\n"),
        ("zst", [zstd(b"3"), zstd(b""), SKIPPED.to_vec(), zstd(b"\n4\n5")].concat(), "6\n8\na\n"),
        ("zst", [SKIPPED.to_vec(), zstd(b"3\n4\n"), SKIPPED.to_vec()].concat(), "6\n8\n"),
        ("zst", BY_ZSTD.to_vec(), "2468acf0\n"),
    ]
}

#[test]
fn compressed_inputs_are_known_by_name_and_by_their_first_bytes() {
    for (name, bytes, doubled) in packed() {
        let packed_name = format!("a.{name}");
        let folder = Folder::new(&[(&packed_name, &bytes), ("a", &bytes), ("two", b"2\n")]);
        let expected = if bytes == BY_ZSTD { doubled.repeat(50) } else { doubled.to_owned() };
        for file in [packed_name.as_str(), "a"] {
            assert_eq!(folder.ok(&format!("eval a+a --bits 64 --in a={file}")), expected, "{file}");
        }
        let command = folder.command("eval a+a --bits 64 --in a=-");
        assert_eq!(ok_with_input(command, &bytes), expected);
        if bytes != BY_ZSTD {
            for file in [packed_name.as_str(), "a"] {
                let sums = folder.ok(&format!("poly mul --prime 97 --in {file} --in two"));
                assert_eq!(sums, expected.replace('a', "10"));
            }
            let command = folder.command("poly mul --prime 97 --in - --in two");
            assert_eq!(ok_with_input(command, &bytes), expected.replace('a', "10"));
        }
    }
}

/// Several chunks and blocks of each, back through both programs.
#[test]
fn results_are_compressed_by_the_name_of_their_file() {
    let numbers: String =
        (0..400_000_u64).map(|i| format!("{:x}\n", i.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let folder = Folder::new(&[("a", numbers.as_bytes()), ("p", b"1 1\n1 96\n")]);
    for out in ["out.gz", "out.zst", "OUT.GZ", "plain"] {
        assert_eq!(folder.ok(&format!("eval a --bits 64 --in a=a --out {out}")), "");
    }
    assert!(folder.text("plain") == numbers);
    let (gz, zst) = (fs::read(folder.path("out.gz")).unwrap(), fs::read(folder.path("out.zst")).unwrap());
    assert!(gunzip(&gz) == numbers.as_bytes() && unzstd(&zst) == numbers.as_bytes());
    assert!(gz == fs::read(folder.path("OUT.GZ")).unwrap(), "the same every time");
    let most = numbers.len() * 3 / 4;
    assert!(gz.len() < most && zst.len() < most, "{} and {} of {}", gz.len(), zst.len(), numbers.len());
    for file in ["out.gz", "out.zst"] {
        assert_eq!(folder.ok(&format!("eval a --bits 64 --in a={file} --out again")), "");
        assert!(folder.text("again") == numbers, "{file}");
    }
    assert_eq!(folder.ok("poly mul --prime 97 --in p --in p --out p.zst"), "");
    assert_eq!(unzstd(&fs::read(folder.path("p.zst")).unwrap()), b"1 2 1\n1 95 1\n");
    // A stream, by the name of a link to it.
    std::os::unix::fs::symlink("/dev/stdout", folder.path("stream.gz")).unwrap();
    let output = folder.run("eval 1+1 --bits 8 --out stream.gz");
    assert_eq!((text(&output.stderr), gunzip(&output.stdout)), (String::new(), b"2\n".to_vec()));
}

/// Wherever a file is cut, there is an error and no result.
#[test]
fn a_file_that_is_cut_anywhere_is_refused() {
    let folder = Folder::new(&[("two", b"2\n")]);
    for (name, bytes) in
        [("a.gz", gzip(b"3\n4\n5\n")), ("a.zst", BY_ZSTD.to_vec()), ("a.zst", zstd(b"3\n4\n5\n"))]
    {
        for cut in 0..bytes.len() {
            fs::write(folder.path(name), &bytes[..cut]).unwrap();
            let error = folder.fails(&format!("eval a --bits 64 --in a={name} --out out"), 1);
            assert!(error.starts_with(&format!("{name}: cannot read: ")), "{cut}: {error}");
            if cut >= 4 {
                let kind = if name == "a.gz" { "gzip" } else { "zstd" };
                let why = format!("its {kind} data end too early: the file is not complete");
                assert!(error.ends_with(&why), "{cut}: {error}");
            }
            let error = folder.fails(&format!("poly mul --prime 97 --in two --in {name} --out out"), 1);
            assert!(error.starts_with(&format!("{name}: cannot read: ")), "{cut}: {error}");
        }
    }
}

#[test]
fn damaged_data_are_refused() {
    let text = b"3\n4\n5\n6\n7\n";
    for (name, bytes) in [("a.gz", gzip(text)), ("a.zst", zstd(text)), ("a.zst", BY_ZSTD.to_vec())] {
        let folder = Folder::new(&[]);
        // The checksum.
        for back in 1..=4 {
            let mut bytes = bytes.clone();
            // The length of gzip's content is behind its checksum.
            let at = bytes.len() - back - if name == "a.gz" { 4 } else { 0 };
            bytes[at] ^= 1;
            fs::write(folder.path(name), bytes).unwrap();
            let error = folder.fails(&format!("eval a --bits 64 --in a={name} --out out"), 1);
            assert!(error.contains(" data are damaged: "), "{error}");
        }
        fs::write(folder.path(name), [&bytes[..], b"more"].concat()).unwrap();
        let error = folder.fails(&format!("eval a --bits 64 --in a={name} --out out"), 1);
        assert!(error.starts_with(&format!("{name}: cannot read: its ")), "{error}");
    }
}

#[test]
fn a_name_that_promises_compression_is_kept_to() {
    let folder = Folder::new(&[("a.gz", b"3\n"), ("b.zst", b""), ("c.gz", &zstd(b"5\n"))]);
    let error = folder.fails("eval a --bits 8 --in a=a.gz", 1);
    assert_eq!(error, "a.gz: cannot read: expected gzip data, as its name says, found other data");
    let error = folder.fails("eval a --bits 8 --in a=b.zst", 1);
    assert_eq!(error, "b.zst: cannot read: expected zstd data, as its name says, found an empty file");
    // The data themselves say which it is.
    assert_eq!(folder.ok("eval a --bits 8 --in a=c.gz"), "5\n");
}

/// Records may begin with any bytes: only a name says that they are compressed.
#[test]
fn binary_records_are_decompressed_by_name_only() {
    let records = [0x1f, 0x8b, 0x28, 0xb5, 0x2f, 0xfd];
    let folder = Folder::new(&[("a", &records), ("a.gz", &gzip(&records)), ("b", &gzip(&records))]);
    let run = |file: &str| {
        folder.run(&format!("eval a --bits 16 --format bin --in a={file} --out out"));
        fs::read(folder.path("out")).unwrap()
    };
    assert_eq!(run("a"), records);
    assert_eq!(run("a.gz"), records);
    assert_ne!(run("b"), records);
}

/// What stops a run stops its compression: nothing is left, and nothing waits.
#[test]
fn failures_leave_no_compressed_file() {
    let numbers = format!("{}zz\n", "1\n".repeat(100_000));
    let folder = Folder::new(&[("a", numbers.as_bytes())]);
    for out in ["out.gz", "out.zst"] {
        let error = folder.fails(&format!("eval a --bits 8 --in a=a --out {out}"), 1);
        assert!(error.starts_with("a:100001: "), "{error}");
        let random: String =
            (0..100_000_u64).map(|i| format!("{:x}\n", i.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
        fs::write(folder.path("b"), random).unwrap();
        let arguments = format!("eval b --bits 64 --in b=b --out {out}");
        let error = fails(&mut folder.shell("ulimit -f 64", &arguments), 1);
        assert_eq!(error, format!("{out}: cannot write: File too large (os error 27)"));
        ok(&mut folder.command("eval 1 --bits 8"));
        fs::remove_file(folder.path("b")).unwrap();
        assert_eq!(folder.names(), ["a"]);
    }
}
