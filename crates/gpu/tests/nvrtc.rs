//! Compiling, with the nvrtc of this machine if there is one and with made-up libraries.
//!
//! Tests that need an nvrtc are ignored without one, unless `LIMBFORGE_REQUIRE_NVRTC` is set.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use limbforge_gpu::pathfinder::{Environment, LOADER_NAMES, search};
use limbforge_gpu::{Arch, Cache, Compiler, Image, Nvrtc, NvrtcError, Source, Target, Version};
use limbforge_needs::needs;
use tempfile::TempDir;

const SOURCE: &str = "extern \"C\" __global__ void add(const unsigned* in0, const unsigned* in1, unsigned* out,\n\
                                                       unsigned long long instances) {\n\
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;\n\
    unsigned __int128 wide = in0[0];\n\
    if (i < instances) out[i] = in0[i] + in1[i] + (unsigned)(wide >> 100);\n\
}\n";

fn nvrtc() -> Nvrtc {
    Nvrtc::find(None).unwrap_or_else(|error| panic!("{error}"))
}

fn arch(name: &str) -> Arch {
    name.parse().unwrap()
}

#[needs(nvrtc)]
#[test]
fn machine_code_and_ptx() {
    let nvrtc = nvrtc();
    for name in ["sm_75", "sm_80", "sm_90", "sm_90a", "sm_100"] {
        let arch = arch(name);
        if !nvrtc.architectures().contains(&arch.number()) {
            println!("nvrtc {} does not know {arch}", nvrtc.version());
            continue;
        }
        let cubin = nvrtc.compile(SOURCE, Target::Cubin(arch), &[]).unwrap();
        let Image::Cubin(code) = cubin.image else { panic!("machine code expected") };
        assert!(code.starts_with(b"\x7fELF"), "{arch}");
        let ptx = nvrtc.compile(SOURCE, Target::Ptx(arch), &[]).unwrap();
        let Image::Ptx(text) = ptx.image else { panic!("PTX expected") };
        assert!(text.contains(&format!(".target {arch}")) && text.contains(".entry add"), "{arch}: {text}");
        assert!(!text.contains('\0'));
    }
}

#[needs(nvrtc)]
#[test]
fn warnings_are_in_the_log() {
    let nvrtc = nvrtc();
    let source = "extern \"C\" __global__ void k(unsigned* out) { int unused; *out = 1; }";
    let compiled = nvrtc.compile(source, Target::Ptx(arch("sm_80")), &[]).unwrap();
    assert!(compiled.log.contains("unused"), "{}", compiled.log);
}

#[needs(nvrtc)]
#[test]
fn functions_without_a_mark_are_device_functions() {
    let nvrtc = nvrtc();
    let source =
        "unsigned two() { return 2; }\nextern \"C\" __global__ void k(unsigned* out) { *out = two(); }";
    nvrtc.compile(source, Target::Cubin(arch("sm_90")), &[]).unwrap();
}

#[needs(nvrtc)]
#[test]
fn a_wrong_source_shows_log_and_lines() {
    let nvrtc = nvrtc();
    let source = SOURCE.replace("wide >> 100", "narrow >> 100");
    let error = nvrtc.compile(&source, Target::Cubin(arch("sm_90")), &[]).unwrap_err();
    let NvrtcError::Compile(inner) = &error else { panic!("{error:?}") };
    assert_eq!((inner.line, inner.source.as_str()), (Some(5), source.as_str()));
    let text = error.to_string();
    for part in ["identifier \"narrow\" is undefined", ">    5 | ", "     2 | ", "--gpu-architecture=sm_90"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[needs(nvrtc)]
#[test]
fn wrong_options_architectures_and_characters_are_errors() {
    let nvrtc = nvrtc();
    let target = Target::Cubin(arch("sm_90"));
    let error = nvrtc.compile(SOURCE, target, &["--no-such-option".to_owned()]).unwrap_err();
    assert!(matches!(&error, NvrtcError::Compile(e) if e.log.contains("no-such-option")), "{error:?}");
    let error = nvrtc.compile(SOURCE, Target::Cubin(Arch::new(99, 9)), &[]).unwrap_err();
    assert!(matches!(&error, NvrtcError::Architecture { .. }), "{error:?}");
    assert!(error.to_string().contains("sm_90"), "{error}");
    for (source, option) in [("a\0b", "-G"), (SOURCE, "-G\0")] {
        let error = nvrtc.compile(source, target, &[option.to_owned()]).unwrap_err();
        assert!(matches!(error, NvrtcError::Nul { .. }), "{error:?}");
    }
    // An empty source is a kernel without an entry point, not an error.
    nvrtc.compile("", target, &[]).unwrap();
}

#[needs(nvrtc)]
#[test]
fn a_compiler_compiles_once() {
    let first = nvrtc();
    let folder = tempfile::tempdir().unwrap();
    let target = Target::Cubin(arch("sm_90"));
    let compiler = Compiler::new(first, Cache::new(Some(folder.path().to_owned())));
    let compiled = compiler.compile(SOURCE, target, &[]).unwrap();
    assert_eq!(compiled.source, Source::Compiler);
    assert!(compiled.warning.is_none());
    assert_eq!(compiler.compile(SOURCE, target, &[]).unwrap().source, Source::Memory);
    let other = ["-lineinfo".to_owned()];
    assert_eq!(compiler.compile(SOURCE, target, &other).unwrap().source, Source::Compiler);

    let again = Compiler::new(nvrtc(), Cache::new(Some(folder.path().to_owned())));
    let stored = again.compile(SOURCE, target, &[]).unwrap();
    assert_eq!((stored.source, &stored.image), (Source::Disk, &compiled.image));
}

/// A library with nvrtc's functions that says it is version `major`.0 and knows `sm_90`.
fn fake(folder: &TempDir, name: &str, code: &str) -> PathBuf {
    let (source, library) = (folder.path().join("fake.c"), folder.path().join(name));
    fs::write(&source, code).unwrap();
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    assert!(built.unwrap().success());
    library
}

fn functions(major: u32) -> String {
    let mut code = format!(
        "int nvrtcVersion(int* a, int* b) {{ *a = {major}; *b = 0; return 0; }}\n\
         const char* nvrtcGetErrorString(int e) {{ return \"NVRTC_MADE_UP\"; }}\n\
         int nvrtcGetNumSupportedArchs(int* n) {{ *n = 1; return 0; }}\n\
         int nvrtcGetSupportedArchs(int* n) {{ *n = 90; return 0; }}\n"
    );
    for name in ["CreateProgram", "DestroyProgram", "CompileProgram", "GetProgramLogSize", "GetProgramLog"] {
        code += &format!("int nvrtc{name}() {{ return 4242; }}\n");
    }
    for name in ["GetCUBINSize", "GetCUBIN", "GetPTXSize", "GetPTX"] {
        code += &format!("int nvrtc{name}() {{ return 4242; }}\n");
    }
    code
}

#[cfg(unix)]
#[needs(cc)]
#[test]
fn another_major_version_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for major in [11, 14] {
        let library = fake(&folder, &format!("libnvrtc.so.{major}"), &functions(major));
        let error = Nvrtc::open(&library, &[]).unwrap_err();
        let found = Version { major, minor: 0 };
        assert_eq!(error, NvrtcError::Version { path: library, found });
        assert!(error.to_string().contains("limbforge works with 12 and 13: install"), "{error}");
    }
}

#[cfg(unix)]
#[needs(cc)]
#[test]
fn a_result_that_is_not_known_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let library = fake(&folder, "libnvrtc.so.13", &functions(13));
    let nvrtc = Nvrtc::open(&library, &[]).unwrap();
    let error = nvrtc.compile(SOURCE, Target::Cubin(arch("sm_90")), &[]).unwrap_err();
    assert!(matches!(&error, NvrtcError::Call { reason, .. } if reason == "NVRTC_MADE_UP"), "{error:?}");
}

#[cfg(unix)]
#[needs(cc)]
#[test]
fn a_file_that_is_no_nvrtc_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("libnvrtc.so.12");
    fs::write(&text, "text").unwrap();
    assert!(matches!(Nvrtc::open(&text, &[]), Err(NvrtcError::Open { path, .. }) if path == text));
    let library = fake(&folder, "libnvrtc.so.13", "int nothing;");
    let error = Nvrtc::open(&library, &[]).unwrap_err();
    assert!(matches!(&error, NvrtcError::Symbol { symbol: "nvrtcVersion", .. }), "{error:?}");
    // Its builtins are opened first.
    let error = Nvrtc::open(&library, std::slice::from_ref(&text)).unwrap_err();
    assert!(matches!(error, NvrtcError::Open { path, .. } if path == text));
}

#[cfg(unix)]
#[needs(cc)]
#[test]
fn one_that_does_not_work_gives_way_to_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let root = Environment::rooted(folder.path());
    let lib = |name: &str| folder.path().join("usr/local").join(name).join("lib64");
    fs::create_dir_all(lib("cuda-13.0")).unwrap();
    fs::create_dir_all(lib("cuda-12.8")).unwrap();
    fs::write(lib("cuda-13.0").join("libnvrtc.so.13"), "text").unwrap();
    let good = fake(&folder, "usr/local/cuda-12.8/lib64/libnvrtc.so.12", &functions(12));
    assert_eq!(Nvrtc::first_of(search(&root), None).unwrap().path(), good);

    let explicit = root.with_variable("LIMBFORGE_NVRTC", lib("cuda-13.0"));
    assert!(matches!(Nvrtc::first_of(search(&explicit), None), Err(NvrtcError::Open { .. })));
}

#[test]
fn a_variable_that_names_nothing_is_an_error() {
    let path = PathBuf::from("/nowhere/at/all");
    let environment = Environment::rooted("/nowhere").with_variable("LIMBFORGE_NVRTC", &path);
    let error = Nvrtc::first_of(search(&environment), None).unwrap_err();
    assert_eq!(error, NvrtcError::Explicit { path });
    assert!(error.to_string().contains("set it to the library or to its folder, or unset it"));
}

#[test]
fn no_nvrtc_says_where_it_was_looked_for_and_what_to_install() {
    let environment = Environment::rooted("/nowhere").with_variable("CUDA_HOME", "/nowhere/cuda");
    match Nvrtc::first_of(search(&environment), None) {
        Err(error @ NvrtcError::Missing { .. }) => {
            let text = error.to_string();
            assert!(
                text.contains("pip install nvidia-cuda-nvrtc") && text.contains("LIMBFORGE_NVRTC"),
                "{text}"
            );
            let NvrtcError::Missing { looked } = error else { return };
            assert!(looked.contains(&PathBuf::from("/nowhere/cuda/lib64")), "{looked:?}");
        }
        // The loader is asked last, by name.
        Ok(nvrtc) => assert!(LOADER_NAMES.iter().any(|name| nvrtc.path() == *name), "{nvrtc:?}"),
        Err(error) => panic!("{error}"),
    }
}

/// Sources that were compiled side by side are in memory, and one that does not compile says why when it is
/// asked for.
#[needs(nvrtc)]
#[test]
fn sources_side_by_side() {
    let nvrtc = nvrtc();
    let compiler = Compiler::new(nvrtc, Cache::new(None));
    let target = Target::Cubin(arch("sm_90"));
    let source =
        |i: usize| format!("extern \"C\" __global__ void kernel{i}(unsigned* out) {{ out[0] = {i}; }}");
    let sources: Vec<String> = (0..20).map(|i| source(i % 10)).chain(["no C++".to_owned()]).collect();
    compiler.prepare(sources.iter().map(|source| &**source), target, &[]);
    for source in &sources[..20] {
        assert_eq!(compiler.compile(source, target, &[]).unwrap().source, Source::Memory);
    }
    assert!(compiler.compile(&sources[20], target, &[]).is_err());
    assert_eq!(compiler.compile(&source(10), target, &[]).unwrap().source, Source::Compiler);
}
