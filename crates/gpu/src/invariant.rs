//! Mistakes of our own, which are loud in every build.

limbforge_limb::broken_invariant!();
