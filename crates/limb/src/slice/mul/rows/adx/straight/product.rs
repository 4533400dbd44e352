//! Full and low products, row by row.

use super::{MOST, Many, One, asm, kernel};

/// The rows of a full product below the first one: offsets of the limbs of a and of those of b that are left,
/// the registers of the sum from the lowest on, and the offsets of the limbs above the rows.
macro_rules! rows {
    ($a:tt [] [$($sum:literal)*] [$($above:literal)*]) => {
        stored!($($above $sum)*)
    };
    ([$a:literal $($at:literal)*] [$b:literal $($more:literal)*] [$lowest:literal $next:literal $($sum:literal)*]
        $above:tt) => {
        concat!(
            "mov rdx, [rcx + ", $b, "]\n",
            "xor eax, eax\n",
            "mulx rbx, rax, [rsi + ", $a, "]\n",
            "adcx ", $lowest, ", rax\n",
            "mov [rdi + ", $b, "], ", $lowest, "\n",
            "adox ", $next, ", rbx\n",
            columns!($lowest: [$($at)*] [$next $($sum)*]),
            rows!([$a $($at)*] [$($more)*] [$next $($sum)* $lowest] $above),
        )
    };
}

macro_rules! columns {
    ($top:literal: [$($at:literal)*] [$($sum:literal)*]) => { line!(["rbx" "rbp"] $top: $($at $sum)*) };
}

/// A full product: offsets of the limbs above the lowest one, registers, and offsets of the upper half.
macro_rules! wide {
    ([$($at:literal)*] [$lowest:literal $($sum:literal)*] [$($above:literal)*]) => {
        concat!(
            "mov rdx, [rcx]\n",
            "mulx ", $lowest, ", rax, [rsi]\n",
            "mov [rdi], rax\n",
            first_line!("add": $lowest $($at $sum)*),
            "xor ebp, ebp\n",
            rows!(["0" $($at)*] [$($at)*] [$lowest $($sum)*] [$($above)*]),
        )
    };
}

/// The full product of so many limbs.
#[rustfmt::skip]
macro_rules! wide_of {
    (1) => { wide!([] ["r8"] ["8"]) };
    (2) => { wide!(["8"] ["r8" "r9"] ["16" "24"]) };
    (3) => { wide!(["8" "16"] ["r8" "r9" "r10"] ["24" "32" "40"]) };
    (4) => { wide!(["8" "16" "24"] ["r8" "r9" "r10" "r11"] ["32" "40" "48" "56"]) };
    (5) => { wide!(["8" "16" "24" "32"] ["r8" "r9" "r10" "r11" "r12"] ["40" "48" "56" "64" "72"]) };
    (6) => {
        wide!(["8" "16" "24" "32" "40"] ["r8" "r9" "r10" "r11" "r12" "r13"] ["48" "56" "64" "72" "80" "88"])
    };
    (7) => {
        wide!(["8" "16" "24" "32" "40" "48"] ["r8" "r9" "r10" "r11" "r12" "r13" "r14"]
            ["56" "64" "72" "80" "88" "96" "104"])
    };
    (8) => {
        wide!(["8" "16" "24" "32" "40" "48" "56"] ["r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15"]
            ["64" "72" "80" "88" "96" "104" "112" "120"])
    };
}

/// By M - 1.
pub(super) static WIDE: [(One, Many); MOST] = [
    kernel!(wide_of!(1)),
    kernel!(wide_of!(2)),
    kernel!(wide_of!(3)),
    kernel!(wide_of!(4)),
    kernel!(wide_of!(5)),
    kernel!(wide_of!(6)),
    kernel!(wide_of!(7)),
    kernel!(wide_of!(8)),
];

/// The columns of a row of a low product: the high half of the last one falls off, and its low half is in
/// rbp.
macro_rules! low_columns {
    ($at:tt [$sum:literal]) => {
        concat!("adcx ", $sum, ", rbp\n")
    };
    ([$at:literal $($more:literal)*] [$sum:literal $next:literal $($sums:literal)*]) => {
        concat!(
            "mulx rbx, rax, [rsi + ", $at, "]\n",
            "adcx ", $sum, ", rax\n",
            "adox ", $next, ", rbx\n",
            low_columns!([$($more)*] [$next $($sums)*]),
        )
    };
}

/// The rows of a low product below the first one: offsets of the limbs of a, of limbs of b and their last
/// columns, and the registers of the sum.
macro_rules! low_rows {
    ($a:tt [] []) => {
        ""
    };
    ($a:tt [$b:literal $last:literal $($more:literal)*] [$lowest:literal $($sum:literal)*]) => {
        concat!(
            "mov rdx, [rcx + ", $b, "]\n",
            "mov rbp, [rsi + ", $last, "]\n",
            "imul rbp, rdx\n",
            "xor eax, eax\n",
            low_columns!($a [$lowest $($sum)*]),
            "mov [rdi + ", $b, "], ", $lowest, "\n",
            low_rows!($a [$($more)*] [$($sum)*]),
        )
    };
}

/// A low product: offsets of the limbs between the lowest and the highest one, the registers from the second
/// one on, the offset of the last column of the first row, and the rows below.
macro_rules! low {
    ([$($at:literal)*] [$lowest:literal $($sum:literal)*] $last:literal $rows:tt) => {
        kernel!(concat!(
            "mov rdx, [rcx]\n",
            "mov rbp, [rsi + ", $last, "]\n",
            "imul rbp, rdx\n",
            "mulx ", $lowest, ", rax, [rsi]\n",
            "mov [rdi], rax\n",
            low_first_line!("add": $lowest $($at $sum)*),
            low_rows!(["0" $($at)*] $rows [$lowest $($sum)*]),
        ))
    };
}

/// As `first_line`, to whose last limb rbp is added.
macro_rules! low_first_line {
    ($add:literal: $sum:literal) => {
        concat!($add, " ", $sum, ", rbp\n")
    };
    ($add:literal: $sum:literal $at:literal $next:literal $($more:literal)*) => {
        concat!(
            "mulx ", $next, ", rax, [rsi + ", $at, "]\n",
            $add, " ", $sum, ", rax\n",
            low_first_line!("adc": $next $($more)*),
        )
    };
}

/// By M - 1.
#[rustfmt::skip]
pub(super) static LOW: [(One, Many); MOST] = [
    kernel!("mov rax, [rsi]\nimul rax, [rcx]\nmov [rdi], rax\n"),
    low!([] ["r8"] "8" ["8" "0"]),
    low!(["8"] ["r8" "r9"] "16" ["8" "8" "16" "0"]),
    low!(["8" "16"] ["r8" "r9" "r10"] "24" ["8" "16" "16" "8" "24" "0"]),
    low!(["8" "16" "24"] ["r8" "r9" "r10" "r11"] "32" ["8" "24" "16" "16" "24" "8" "32" "0"]),
    low!(["8" "16" "24" "32"] ["r8" "r9" "r10" "r11" "r12"] "40"
        ["8" "32" "16" "24" "24" "16" "32" "8" "40" "0"]),
    low!(["8" "16" "24" "32" "40"] ["r8" "r9" "r10" "r11" "r12" "r13"] "48"
        ["8" "40" "16" "32" "24" "24" "32" "16" "40" "8" "48" "0"]),
    low!(["8" "16" "24" "32" "40" "48"] ["r8" "r9" "r10" "r11" "r12" "r13" "r14"] "56"
        ["8" "48" "16" "40" "24" "32" "32" "24" "40" "16" "48" "8" "56" "0"]),
];
