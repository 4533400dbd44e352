//! The compile cache, with a made-up compiler.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use limbforge_gpu::{Arch, Cache, CacheKey, CacheWarning, Cached, Compiled, Image, Source, Target, Version};

const V: Version = Version { major: 13, minor: 0 };
const CUBIN: Target = Target::Cubin(Arch::new(9, 0));

fn key() -> CacheKey {
    CacheKey::new("source", CUBIN, &[], V)
}

fn image(byte: u8) -> Image {
    Image::Cubin(vec![byte; 100])
}

/// Asks a new cache, as the next process would, and counts on the compiler giving `byte`.
fn ask(folder: &Path, byte: u8) -> Cached {
    ask_of(&Cache::new(Some(folder.to_owned())), byte)
}

fn ask_of(cache: &Cache, byte: u8) -> Cached {
    let compiled = Compiled { image: image(byte), log: "log".to_owned() };
    cache.get_or_compile(&key(), || Ok::<_, Infallible>(compiled)).unwrap()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn memory_then_disk_then_compiler() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("made/when/needed");
    let cache = Cache::new(Some(below.clone()));
    let first = ask_of(&cache, 1);
    assert_eq!((first.source, first.log.as_str(), &*first.image), (Source::Compiler, "log", &image(1)));
    let second = ask_of(&cache, 2);
    assert_eq!((second.source, &*second.image), (Source::Memory, &image(1)));
    let third = ask(&below, 3);
    assert_eq!((third.source, &*third.image), (Source::Disk, &image(1)));
    assert!(first.warning.is_none() && second.warning.is_none() && third.warning.is_none());
    assert_eq!(entries(&below).len(), 1);
}

#[test]
fn a_damaged_entry_is_compiled_and_written_again() {
    let damages: [fn(&mut Vec<u8>); 6] = [
        |entry| entry.truncate(entry.len() - 1),
        |entry| entry.truncate(20),
        Vec::clear,
        |entry| entry.push(0),
        |entry| entry[0] ^= 1,
        |entry| *entry.last_mut().unwrap() ^= 128,
    ];
    for damage in damages {
        let folder = tempfile::tempdir().unwrap();
        ask(folder.path(), 1);
        let path = entries(folder.path()).pop().unwrap();
        let mut entry = fs::read(&path).unwrap();
        damage(&mut entry);
        fs::write(&path, entry).unwrap();

        let again = ask(folder.path(), 2);
        assert_eq!((again.source, &*again.image), (Source::Compiler, &image(2)));
        let warning = again.warning.unwrap();
        assert!(matches!(&warning, CacheWarning::Corrupt { path: at } if *at == path), "{warning}");
        assert_eq!(ask(folder.path(), 3).source, Source::Disk);
        assert_eq!(entries(folder.path()).len(), 1, "no temporary file stays");
    }
}

/// A file that is copied or renamed to another key's is not that key's kernel.
#[test]
fn a_copied_entry_is_not_another_kernel() {
    let folder = tempfile::tempdir().unwrap();
    ask(folder.path(), 1);
    let own = entries(folder.path()).pop().unwrap();
    let other = CacheKey::new("other source", CUBIN, &[], V);
    let ask_other = |byte| {
        let compiled = Compiled { image: image(byte), log: String::new() };
        let cache = Cache::new(Some(folder.path().to_owned()));
        cache.get_or_compile(&other, || Ok::<_, Infallible>(compiled)).unwrap()
    };
    ask_other(2);
    let path = entries(folder.path()).into_iter().find(|path| *path != own).unwrap();
    fs::copy(&own, &path).unwrap();
    let found = ask_other(3);
    assert_eq!((found.source, &*found.image), (Source::Compiler, &image(3)));
    assert!(matches!(found.warning, Some(CacheWarning::Corrupt { path: at }) if at == path));
    assert_eq!((ask_other(4).source, ask(folder.path(), 5).source), (Source::Disk, Source::Disk));
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_folder_that_others_can_write_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    ask(folder.path(), 1);
    for mode in [0o777, 0o1777, 0o770, 0o702] {
        set_mode(folder.path(), mode);
        let found = ask(folder.path(), 2);
        assert_eq!((found.source, &*found.image), (Source::Compiler, &image(2)), "{mode:o}");
        let warning = found.warning.unwrap();
        assert!(matches!(&warning, CacheWarning::Untrusted { folder: at, .. } if at == folder.path()));
        let text = warning.to_string();
        assert!(text.contains("can be written by other users") && text.contains("`chmod go-w /"), "{text}");
        assert!(matches!(Cache::probe(folder.path()), Err(CacheWarning::Untrusted { .. })));
    }
    // What was kept before is as it was, and is used again as soon as the folder is the user's own.
    set_mode(folder.path(), 0o755);
    let found = ask(folder.path(), 3);
    assert_eq!((found.source, &*found.image), (Source::Disk, &image(1)));
}

#[cfg(unix)]
#[test]
fn an_entry_that_others_can_write_is_compiled_again() {
    let folder = tempfile::tempdir().unwrap();
    ask(folder.path(), 1);
    set_mode(&entries(folder.path())[0], 0o666);
    let found = ask(folder.path(), 2);
    assert_eq!((found.source, &*found.image), (Source::Compiler, &image(2)));
    assert!(matches!(found.warning, Some(CacheWarning::Corrupt { .. })));
    assert_eq!(ask(folder.path(), 3).source, Source::Disk);
}

#[cfg(unix)]
#[test]
fn a_new_folder_is_the_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("made/when/needed");
    ask(&below, 1);
    for path in [&below, &folder.path().join("made"), &entries(&below)[0]] {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o077, 0, "{}", path.display());
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let impossible = file.join("cache");
    let cache = Cache::new(Some(impossible.clone()));
    let first = ask_of(&cache, 1);
    assert_eq!((first.source, &*first.image), (Source::Compiler, &image(1)));
    let warning = first.warning.unwrap();
    assert!(matches!(&warning, CacheWarning::Unwritable { folder, .. } if *folder == impossible));
    assert!(warning.to_string().contains("set LIMBFORGE_CACHE to a folder that can be written"), "{warning}");
    assert_eq!(ask_of(&cache, 2).source, Source::Memory);
    assert!(Cache::probe(&impossible).is_err());
    assert!(Cache::probe(folder.path()).is_ok());
}

#[test]
fn without_a_folder_memory_is_all() {
    let cache = Cache::new(None);
    assert_eq!(ask_of(&cache, 1).source, Source::Compiler);
    assert_eq!(ask_of(&cache, 2).source, Source::Memory);
}

#[test]
fn a_failure_is_not_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(Some(folder.path().to_owned()));
    assert_eq!(cache.get_or_compile(&key(), || Err("no")).unwrap_err(), "no");
    assert_eq!(ask_of(&cache, 1).source, Source::Compiler);
}

#[test]
fn everything_that_changes_the_image_changes_the_key() {
    let options = |list: &[&str]| list.iter().map(|&option| option.to_owned()).collect::<Vec<_>>();
    let newer = Version { major: 13, minor: 1 };
    let sm_90 = Arch::new(9, 0);
    let keys = [
        CacheKey::new("source", CUBIN, &[], V),
        CacheKey::new("sourcf", CUBIN, &[], V),
        CacheKey::new("", CUBIN, &options(&["source"]), V),
        CacheKey::new("source", Target::Ptx(sm_90), &[], V),
        CacheKey::new("source", Target::Cubin(sm_90.specific()), &[], V),
        CacheKey::new("source", Target::Cubin(Arch::new(8, 0)), &[], V),
        CacheKey::new("source", CUBIN, &[], newer),
        CacheKey::new("source", CUBIN, &options(&["-a"]), V),
        CacheKey::new("source", CUBIN, &options(&["-a", "-b"]), V),
        CacheKey::new("source", CUBIN, &options(&["-a-b"]), V),
    ];
    for (i, a) in keys.iter().enumerate() {
        for (j, b) in keys.iter().enumerate() {
            assert_eq!(a == b, i == j, "{i} {j}");
        }
    }
}

/// The first line of a kernel has the user's names of operands, and is a comment.
#[test]
fn a_comment_at_the_top_changes_no_key() {
    let key = |source: &str| CacheKey::new(source, CUBIN, &[], V);
    assert_eq!(key("// in=a in=b\nint x;"), key("// in=x in=y\nint x;"));
    for (one, other) in [
        ("// a\nint x;", "// a\nint y;"),
        ("// a\n// b\nint x;", "// a\n// c\nint x;"),
        ("// a \\\nint x;\nint y;", "// b \\\nint x;\nint y;"),
        ("int x;\nint y;", "int y;\nint y;"),
        ("// a", "// b"),
    ] {
        assert_ne!(key(one), key(other), "{one:?} {other:?}");
    }
}

#[test]
fn threads_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let cached = ask(folder.path(), 7);
                    assert_eq!(*cached.image, image(7));
                    assert!(cached.warning.is_none(), "{:?}", cached.warning);
                }
            });
        }
    });
    assert_eq!(entries(folder.path()).len(), 1);
}

/// Threads that ask for one kernel at once, as several GPUs of one architecture do, compile it once.
#[test]
fn threads_wait_for_the_one_that_compiles() {
    let (cache, compiled, begun) = (Cache::new(None), AtomicUsize::new(0), Barrier::new(8));
    let sources: Vec<Source> = std::thread::scope(|scope| {
        let ask = || {
            begun.wait();
            let compile = || {
                compiled.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(20));
                Ok::<_, Infallible>(Compiled { image: image(5), log: String::new() })
            };
            let cached = cache.get_or_compile(&key(), compile).unwrap();
            assert_eq!(*cached.image, image(5));
            cached.source
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(compiled.into_inner(), 1);
    assert_eq!(sources.iter().filter(|source| **source == Source::Compiler).count(), 1);
}

/// What the user waits for before the driver gets a kernel that was compiled before, by this process or by
/// another: the key of its source, and the image from memory or from the disk. Twice as much as the largest
/// shipped kernels are.
#[test]
fn a_kernel_that_was_compiled_before_comes_within_ten_milliseconds() {
    const SOURCE_BYTES: usize = 64 << 10;
    const IMAGE_BYTES: usize = 512 << 10;
    let source: String = "unsigned x; // kernel\n".chars().cycle().take(SOURCE_BYTES).collect();
    let code: Vec<u8> = (0..IMAGE_BYTES as u32).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect();
    let folder = tempfile::tempdir().unwrap();
    let new = || Cache::new(Some(folder.path().to_owned()));
    let ask = |cache: &Cache| {
        let compiled =
            || Ok::<_, Infallible>(Compiled { image: Image::Cubin(code.clone()), log: String::new() });
        cache.get_or_compile(&CacheKey::new(&source, CUBIN, &[], V), compiled).unwrap()
    };
    let old = new();
    assert_eq!(ask(&old).source, Source::Compiler);
    let median = |fresh: bool, expected: Source| {
        let mut times: Vec<Duration> = (0..11)
            .map(|_| {
                let made = new();
                let begin = Instant::now();
                let cached = ask(if fresh { &made } else { &old });
                let taken = begin.elapsed();
                assert_eq!((cached.source, &*cached.image), (expected, &Image::Cubin(code.clone())));
                taken
            })
            .collect();
        times.sort_unstable();
        times[times.len() / 2]
    };
    for (fresh, expected) in [(true, Source::Disk), (false, Source::Memory)] {
        let taken = median(fresh, expected);
        println!("from {expected:?}: {taken:?}");
        assert!(taken <= Duration::from_millis(10), "{expected:?} took {taken:?}");
    }
}
