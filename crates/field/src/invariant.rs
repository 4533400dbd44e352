//! Mistakes of our own, which are loud in every build.

/// Stops: `what` should have held, whatever the caller gave. A wrong result would be worse.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn broken_invariant(what: &str) -> ! {
    panic!("{}: broken invariant: {what}; please report this", env!("CARGO_PKG_NAME"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "limbforge-field: broken invariant: one is two; please report this")]
    fn it_is_loud() {
        broken_invariant("one is two");
    }
}
