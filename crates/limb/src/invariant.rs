//! Broken invariants, which panic in every build.

/// Stops with the package's name and the statement that should have held: a wrong result would be worse.
/// [`broken_invariant!`](crate::broken_invariant!) defines a package's own function that calls it.
#[cold]
#[inline(never)]
#[track_caller]
pub fn stop(package: &str, statement: &str) -> ! {
    panic!("{package}: broken invariant: {statement}; please report this")
}

/// Defines `broken_invariant(statement) -> !` for the package that this stands in.
#[doc(hidden)]
#[macro_export]
macro_rules! broken_invariant {
    () => {
        /// Stops: the statement should have held, whatever the caller gave.
        #[cold]
        #[inline(never)]
        #[track_caller]
        pub(crate) fn broken_invariant(statement: &str) -> ! {
            $crate::invariant::stop(::core::env!("CARGO_PKG_NAME"), statement)
        }
    };
}

broken_invariant!();

#[cfg(test)]
mod tests {
    #[test]
    #[should_panic(expected = "limbforge-limb: broken invariant: one is two; please report this")]
    fn it_is_loud() {
        super::broken_invariant("one is two");
    }
}
