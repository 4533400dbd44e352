//! Squares: a triangle of products of different limbs, which is doubled while the squares of the limbs are
//! added. Eight limbs of the triangle stay in registers to the end, those below go through memory.

use super::{MOST, Many, One, asm, kernel};

/// The rows of the triangle below the first one, and the end: offsets of the limbs of a from the row's own
/// on; of the limbs of the sum to be stored; registers of the sum, free ones, and those of finished limbs;
/// and the squares of the stored limbs and of those in registers.
macro_rules! triangle {
    ([$last:literal] [] [$low:literal $high:literal] $free:tt [$($done:literal)*] $stored:tt $squares:tt) => {
        concat!(
            "mov rdx, [rsi]\n",
            "mulx rbx, rax, rdx\n",
            "mov [rdi], rax\n",
            "xor ebp, ebp\n",
            stored_squares!($stored),
            squares!([$($done)* $low $high] $squares),
        )
    };
    ([$a:literal $($at:literal)+] [$low_at:literal $high_at:literal $($more:literal)*]
        [$low:literal $high:literal $($sum:literal)*] [$($free:literal)*] $done:tt $stored:tt $squares:tt) => {
        concat!(
            stored!($low_at $low $high_at $high),
            triangle!(@ [$a $($at)+] [$($more)*] [$($sum)*] [$($free)* $low $high] $done $stored $squares),
        )
    };
    ([$a:literal $($at:literal)+] [] [$low:literal $high:literal $($sum:literal)*] $free:tt
        [$($done:literal)*] $stored:tt $squares:tt) => {
        triangle!(@ [$a $($at)+] [] [$($sum)*] $free [$($done)* $low $high] $stored $squares)
    };
    (@ [$a:literal $($at:literal)+] $more:tt [$($sum:literal)*] [$top:literal $($free:literal)*] $done:tt
        $stored:tt $squares:tt) => {
        concat!(
            "mov rdx, [rsi + ", $a, "]\n",
            "xor eax, eax\n",
            line!(["rbx" "rbp"] $top: $($at $sum)*),
            triangle!([$($at)+] $more [$($sum)* $top] [$($free)*] $done $stored $squares),
        )
    };
}

/// Doubles stored limbs, and adds the squares of limbs of a: for each the offsets of that limb, of the limb
/// below its square, and of its square. rbx is the upper half of the square before.
macro_rules! stored_squares {
    ([$($a:literal $below:literal $at:literal)*]) => {
        concat!($(
            "mov rcx, [rdi + ", $below, "]\n",
            "adcx rcx, rcx\n",
            "adox rcx, rbx\n",
            "mov [rdi + ", $below, "], rcx\n",
            "mov rdx, [rsi + ", $a, "]\n",
            "mulx rbx, rax, rdx\n",
            "mov rcx, [rdi + ", $at, "]\n",
            "adcx rcx, rcx\n",
            "adox rcx, rax\n",
            "mov [rdi + ", $at, "], rcx\n",
        )*)
    };
}

/// As [`stored_squares`], of limbs in registers, and the limb above all.
macro_rules! squares {
    ([] [$top:literal]) => {
        concat!("adcx rbx, rbp\n", "adox rbx, rbp\n", "mov [rdi + ", $top, "], rbx\n")
    };
    ([$low:literal $high:literal $($sum:literal)*]
        [$a:literal $below:literal $at:literal $($more:literal)*]) => {
        concat!(
            "adcx ", $low, ", ", $low, "\n",
            "adox ", $low, ", rbx\n",
            "mov [rdi + ", $below, "], ", $low, "\n",
            "mov rdx, [rsi + ", $a, "]\n",
            "mulx rbx, rax, rdx\n",
            "adcx ", $high, ", ", $high, "\n",
            "adox ", $high, ", rax\n",
            "mov [rdi + ", $at, "], ", $high, "\n",
            squares!([$($sum)*] [$($more)*]),
        )
    };
}

/// A square: offsets of the limbs of a from the second one on; of the limbs that are stored; registers of the
/// first row's sum and further ones; and the squares of the stored limbs and of those in registers.
macro_rules! square {
    ([$second:literal $($at:literal)*] $stores:tt [$lowest:literal $next:literal $($sum:literal)*] $free:tt
        $stored:tt $squares:tt) => {
        concat!(
            "mov rdx, [rsi]\n",
            "mulx ", $next, ", ", $lowest, ", [rsi + ", $second, "]\n",
            first_line!("add": $next $($at $sum)*),
            "xor ebp, ebp\n",
            triangle!([$second $($at)*] $stores [$lowest $next $($sum)*] $free [] $stored $squares),
        )
    };
}

/// The square of so many limbs.
#[rustfmt::skip]
macro_rules! square_of {
    (1) => { "mov rdx, [rsi]\nmulx rbx, rax, rdx\nmov [rdi], rax\nmov [rdi + 8], rbx\n" };
    (2) => { square!(["8"] [] ["r8" "r9"] [] [] ["8" "8" "16" "24"]) };
    (3) => { square!(["8" "16"] [] ["r8" "r9" "r10"] ["r11"] [] ["8" "8" "16" "16" "24" "32" "40"]) };
    (4) => {
        square!(["8" "16" "24"] [] ["r8" "r9" "r10" "r11"] ["r12" "r13"] []
            ["8" "8" "16" "16" "24" "32" "24" "40" "48" "56"])
    };
    (5) => {
        square!(["8" "16" "24" "32"] [] ["r8" "r9" "r10" "r11" "r12"] ["r13" "r14" "r15"] []
            ["8" "8" "16" "16" "24" "32" "24" "40" "48" "32" "56" "64" "72"])
    };
    (6) => {
        square!(["8" "16" "24" "32" "40"] ["8" "16"] ["r8" "r9" "r10" "r11" "r12" "r13"] ["r14" "r15"]
            ["8" "8" "16"] ["16" "24" "32" "24" "40" "48" "32" "56" "64" "40" "72" "80" "88"])
    };
    (7) => {
        square!(["8" "16" "24" "32" "40" "48"] ["8" "16" "24" "32"]
            ["r8" "r9" "r10" "r11" "r12" "r13" "r14"] ["r15"]
            ["8" "8" "16" "16" "24" "32"]
            ["24" "40" "48" "32" "56" "64" "40" "72" "80" "48" "88" "96" "104"])
    };
    (8) => {
        square!(["8" "16" "24" "32" "40" "48" "56"] ["8" "16" "24" "32" "40" "48"]
            ["r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15"] []
            ["8" "8" "16" "16" "24" "32" "24" "40" "48"]
            ["32" "56" "64" "40" "72" "80" "48" "88" "96" "56" "104" "112" "120"])
    };
}

/// By M - 1.
pub(super) static SQUARES: [(One, Many); MOST] = [
    kernel!(square_of!(1)),
    kernel!(square_of!(2)),
    kernel!(square_of!(3)),
    kernel!(square_of!(4)),
    kernel!(square_of!(5)),
    kernel!(square_of!(6)),
    kernel!(square_of!(7)),
    kernel!(square_of!(8)),
];
