//! Loops that are unrolled, however long their bodies are.

/// Runs the body for `i` from 0 on, up to 40 times, while `i < COUNT`, a constant.
macro_rules! unrolled {
    ($i:ident < $count:expr => $body:expr) => {
        unrolled! { @each $i $count, $body,
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
            20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39
        }
    };
    (@each $i:ident $count:expr, $body:expr, $($k:literal)*) => {
        $(if $k < $count {
            let $i = $k;
            $body;
        })*
    };
}
