//! Mistakes of our own, which are loud in every build.

limbforge_limb::broken_invariant!();

#[cfg(test)]
mod tests {
    #[test]
    #[should_panic(expected = "limbforge-algos: broken invariant: one is two; please report this")]
    fn it_is_loud() {
        super::broken_invariant("one is two");
    }
}
