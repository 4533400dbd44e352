//! What nvrtc's files are called.

/// The numbers in the name of a libnvrtc: 13, 0, 88 of `libnvrtc.so.13.0.88`, none of `libnvrtc.so`, 13, 0 of
/// `nvrtc64_130_0.dll`. None for other files, such as the variants called `.alt`.
pub(super) fn library(name: &str) -> Option<Vec<u32>> {
    elf(name, "libnvrtc").or_else(|| dll(name.strip_prefix("nvrtc64_")?.strip_suffix("_0.dll")?))
}

/// The same for libnvrtc-builtins.
pub(super) fn builtins(name: &str) -> Option<Vec<u32>> {
    elf(name, "libnvrtc-builtins")
        .or_else(|| dll(name.strip_prefix("nvrtc-builtins64_")?.strip_suffix(".dll")?))
}

fn elf(name: &str, stem: &str) -> Option<Vec<u32>> {
    let numbers = name.strip_prefix(stem)?.strip_prefix(".so")?;
    if numbers.is_empty() {
        return Some(vec![]);
    }
    numbers.strip_prefix('.')?.split('.').map(|number| number.parse().ok()).collect()
}

/// `130` is 13.0.
fn dll(digits: &str) -> Option<Vec<u32>> {
    let number: u32 = digits.parse().ok()?;
    Some(vec![number / 10, number % 10])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(library("libnvrtc.so"), Some(vec![]));
        assert_eq!(library("libnvrtc.so.13"), Some(vec![13]));
        assert_eq!(library("libnvrtc.so.13.0.88"), Some(vec![13, 0, 88]));
        assert_eq!(library("nvrtc64_120_0.dll"), Some(vec![12, 0]));
        assert_eq!(builtins("libnvrtc-builtins.so.12.8"), Some(vec![12, 8]));
        assert_eq!(builtins("nvrtc-builtins64_129.dll"), Some(vec![12, 9]));
        for other in [
            "libnvrtc.alt.so.13",
            "libnvrtc_static.a",
            "libnvrtc-builtins.so.13.0",
            "libnvrtc.so.13x",
            "nvrtc.h",
        ] {
            assert_eq!(library(other), None, "{other}");
        }
        for other in ["libnvrtc-builtins.alt.so.13.0", "libnvrtc.so.13", "libnvrtc-builtins_static.a"] {
            assert_eq!(builtins(other), None, "{other}");
        }
    }
}
