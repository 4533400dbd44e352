//! An attribute for tests that need what not every machine has.
//!
//! A test whose need was not found when it was compiled is an ignored one: cargo counts it, and says why.
//! With `LIMBFORGE_REQUIRE_NVRTC`, `LIMBFORGE_REQUIRE_CXX`, `LIMBFORGE_REQUIRE_ECM`, `LIMBFORGE_REQUIRE_GPU` or
//! `LIMBFORGE_REQUIRE_GPUS` set, such tests run, and fail where it is missing. The search is repeated when a variable that
//! it depends on changes; after an installation elsewhere, `--include-ignored` runs the tests, and a change of any such
//! variable finds it.

use proc_macro::TokenStream;

/// (name, whether it was found, why a test that needs it is ignored)
const NEEDS: [(&str, bool, &str); 9] = [
    ("nvrtc", cfg!(has_nvrtc), "needs libnvrtc: pip install nvidia-cuda-nvrtc, or set LIMBFORGE_NVRTC"),
    ("cxx", cfg!(has_cxx), "needs a C++ compiler: install g++, or set CXX"),
    ("cc", cfg!(has_cc), "needs a C compiler: install cc"),
    ("gpu", cfg!(has_gpu), "needs an NVIDIA GPU"),
    ("gpus", cfg!(has_gpus), "needs two NVIDIA GPUs"),
    ("no_driver", cfg!(has_no_driver), "needs a machine without NVIDIA's driver"),
    ("bash", cfg!(has_bash), "needs bash"),
    ("groff", cfg!(has_groff), "needs groff"),
    ("gmp_ecm", cfg!(has_gmp_ecm), "needs GMP-ECM: apt install gmp-ecm"),
];

/// Ignores a test unless all that it names was found: `nvrtc`, `cxx` (a C++ compiler), `cc` (a C compiler),
/// `gpu`, `gpus` (at least two), `no_driver` (no NVIDIA driver), `bash`, `groff` or `gmp_ecm`.
///
/// It stands before `#[test]`, which would not see it otherwise:
/// ```
/// use limbforge_needs::needs;
///
/// #[needs(cxx, nvrtc)]
/// #[test]
/// fn kernels_compile() {}
/// ```
#[allow(clippy::test_attr_in_doctest, reason = "the example is a test, which it need not run")]
#[proc_macro_attribute]
pub fn needs(names: TokenStream, test: TokenStream) -> TokenStream {
    match ignored(&names.to_string(), &test.to_string()) {
        Ok(None) => test,
        Ok(Some(reason)) => tokens(&format!("#[ignore = {reason:?}]")).into_iter().chain(test).collect(),
        Err(why) => tokens(&format!("compile_error!({why:?});")),
    }
}

/// Why the test is ignored, if it is.
fn ignored(names: &str, test: &str) -> Result<Option<String>, String> {
    // The text of tokens may have blanks between them.
    let attributes = test.split("fn ").next().unwrap_or_default().replace(char::is_whitespace, "");
    if !attributes.contains("#[test]") {
        return Err("expected #[needs(..)] before #[test]".to_owned());
    }
    let mut reasons = vec![];
    for name in names.split(',').map(str::trim) {
        let known = NEEDS.iter().find(|(known, ..)| *known == name);
        let Some((_, found, reason)) = known else {
            let all = NEEDS.map(|(name, ..)| name).join(", ");
            return Err(format!("expected one of {all}, found `{name}`"));
        };
        if !found {
            reasons.push(*reason);
        }
    }
    // A test that is ignored for a reason of its own keeps that one.
    let is_ignored = attributes.contains("#[ignore");
    Ok((!reasons.is_empty() && !is_ignored).then(|| reasons.join("; ")))
}

fn tokens(text: &str) -> TokenStream {
    // Our own text is Rust.
    text.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_need_is_known_and_stands_before_the_test() {
        let test = "#[test] fn x() {}";
        assert!(ignored("cxx, nvrtc", test).is_ok() && ignored("gpu", "# [test] pub fn x() {}").is_ok());
        assert!(ignored("cuda", test).is_err_and(|why| why.contains("found `cuda`")));
        assert!(ignored("", test).is_err());
        assert!(ignored("cc", "fn x() {}").is_err_and(|why| why.contains("before #[test]")));
    }

    /// Each reason is given once for what is missing, and there is none for what was found.
    #[test]
    fn reasons_are_of_what_is_missing() {
        let all = NEEDS.map(|(name, ..)| name).join(",");
        let reason = ignored(&all, "#[test] fn x() {}").ok().flatten().unwrap_or_default();
        for (name, found, why) in NEEDS {
            assert_eq!(reason.contains(why), !found, "{name}: {reason}");
        }
    }
}
