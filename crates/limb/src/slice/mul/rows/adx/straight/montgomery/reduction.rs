//! The rows of the reduction, and its end.

/// The rows of a reduction and its end, with the registers of the sum from the lowest limb on: a token for
/// each row of both kinds, and offsets of `1/B mod m`, of m, and of the upper half of the product.
macro_rules! reduction {
    ([$row:tt $($more:tt)*] $rows:tt [$($at:literal)*] $modulus:tt $upper:tt [$lowest:literal $($sum:literal)*]) => {
        concat!(
            "mov rdx, ", $lowest, "\n",
            "xor eax, eax\n",
            line!(["rbx" "rbp"] $lowest: $($at $sum)*),
            reduction!([$($more)*] $rows [$($at)*] $modulus $upper [$($sum)* $lowest]),
        )
    };
    ([] [$row:tt $($more:tt)*] $inverse:tt $modulus:tt $upper:tt [$lowest:literal $($sum:literal)*]) => {
        concat!(
            "mov rdx, ", $lowest, "\n",
            "imul rdx, [rsi + 128]\n",
            "xor eax, eax\n",
            multiple!($modulus [$lowest $($sum)*]),
            "adcx ", $lowest, ", rbp\n",
            "adox ", $lowest, ", rbp\n",
            reduction!([] [$($more)*] $inverse $modulus $upper [$($sum)* $lowest]),
        )
    };
    ([] [] $inverse:tt $modulus:tt $upper:tt $sums:tt) => {
        concat!(
            upper_half!("add" $upper $sums),
            "mov rax, [rsp + 16]\n",
            difference!("sub" $modulus $sums),
            kept!($modulus $sums),
            "jb 3f\n",
            difference!("sub" $modulus $sums),
            "jb 3f\n",
            copied!($modulus),
            "3:\n",
        )
    };
}

/// Columns of a row that adds a multiple of m, the last limb without its carries.
macro_rules! multiple {
    ([] [$sum:literal]) => {
        concat!("adcx ", $sum, ", rbp\n")
    };
    ([$at:literal $($more:literal)*] [$sum:literal $next:literal $($sums:literal)*]) => {
        concat!(
            "mulx rbx, rax, [rsi + ", $at, "]\n",
            "adcx ", $sum, ", rax\n",
            "adox ", $next, ", rbx\n",
            multiple!([$($more)*] [$next $($sums)*]),
        )
    };
}

macro_rules! upper_half {
    ($add:literal [] [$top:literal]) => {
        concat!($add, " ", $top, ", 0\n")
    };
    ($add:literal [$at:literal $($more:literal)*] [$sum:literal $($sums:literal)*]) => {
        concat!($add, " ", $sum, ", [rdi + ", $at, "]\n", upper_half!("adc" [$($more)*] [$($sums)*]))
    };
}

/// The sum less m, in memory, below zero with a carry.
macro_rules! difference {
    ($sub:literal [] [$top:literal]) => {
        concat!($sub, " ", $top, ", 0\n")
    };
    ($sub:literal [$at:literal $($more:literal)*] [$sum:literal $($sums:literal)*]) => {
        concat!(
            "mov rdx, ", $sum, "\n",
            $sub, " rdx, [rsi + ", $at, "]\n",
            "mov [rdi + ", $at, "], rdx\n",
            difference!("sbb" [$($more)*] [$($sums)*]),
        )
    };
}

/// Stores the difference, or the sum if that is below m, and compares the highest limbs: without a carry if m may
/// be subtracted again.
macro_rules! kept {
    ([$at:literal] [$sum:literal $top:literal]) => {
        concat!(
            "cmovnc ", $sum, ", [rdi + ", $at, "]\n",
            "mov [rax + ", $at, "], ", $sum, "\n",
            "cmovc ", $top, ", rbp\n",
            "cmp ", $sum, ", [rsi + ", $at, "]\n",
            "mov rdx, ", $top, "\n",
            "sbb rdx, 0\n",
        )
    };
    ([$at:literal $($more:literal)*] [$sum:literal $($sums:literal)*]) => {
        concat!(
            "cmovnc ", $sum, ", [rdi + ", $at, "]\n",
            "mov [rax + ", $at, "], ", $sum, "\n",
            kept!([$($more)*] [$($sums)*]),
        )
    };
}

macro_rules! copied {
    ([$($at:literal)*]) => {
        concat!($("mov rdx, [rdi + ", $at, "]\n", "mov [rax + ", $at, "], rdx\n"),*)
    };
}

/// The reduction of a product of so many limbs.
#[rustfmt::skip]
macro_rules! reduction_of {
    (1) => {
        reduction!([] [m] ["64"]
            ["0"] ["8"]
            ["r8" "r9"])
    };
    (2) => {
        reduction!([] [m m] ["64" "72"]
            ["0" "8"] ["16" "24"]
            ["r8" "r9" "r10"])
    };
    (3) => {
        reduction!([s] [m m] ["64" "72" "80"]
            ["0" "8" "16"] ["24" "32" "40"]
            ["r8" "r9" "r10" "r11"])
    };
    (4) => {
        reduction!([s s] [m m] ["64" "72" "80" "88"]
            ["0" "8" "16" "24"] ["32" "40" "48" "56"]
            ["r8" "r9" "r10" "r11" "r12"])
    };
    (5) => {
        reduction!([s s s] [m m] ["64" "72" "80" "88" "96"]
            ["0" "8" "16" "24" "32"] ["40" "48" "56" "64" "72"]
            ["r8" "r9" "r10" "r11" "r12" "r13"])
    };
    (6) => {
        reduction!([s s s s] [m m] ["64" "72" "80" "88" "96" "104"]
            ["0" "8" "16" "24" "32" "40"] ["48" "56" "64" "72" "80" "88"]
            ["r8" "r9" "r10" "r11" "r12" "r13" "r14"])
    };
    (7) => {
        reduction!([s s s s s] [m m] ["64" "72" "80" "88" "96" "104" "112"]
            ["0" "8" "16" "24" "32" "40" "48"] ["56" "64" "72" "80" "88" "96" "104"]
            ["r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15"])
    };
    (8) => {
        reduction!([s s s s s s] [m m] ["64" "72" "80" "88" "96" "104" "112" "120"]
            ["0" "8" "16" "24" "32" "40" "48" "56"] ["64" "72" "80" "88" "96" "104" "112" "120"]
            ["r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15" "rcx"])
    };
}

/// Loads the lower half of a product of so many limbs.
macro_rules! lower_half {
    (1) => { lower_half!(@ ["0"] ["r8" "r9"]) };
    (2) => { lower_half!(@ ["0" "8"] ["r8" "r9" "r10"]) };
    (3) => { lower_half!(@ ["0" "8" "16"] ["r8" "r9" "r10" "r11"]) };
    (4) => { lower_half!(@ ["0" "8" "16" "24"] ["r8" "r9" "r10" "r11" "r12"]) };
    (5) => { lower_half!(@ ["0" "8" "16" "24" "32"] ["r8" "r9" "r10" "r11" "r12" "r13"]) };
    (6) => { lower_half!(@ ["0" "8" "16" "24" "32" "40"] ["r8" "r9" "r10" "r11" "r12" "r13" "r14"]) };
    (7) => { lower_half!(@ ["0" "8" "16" "24" "32" "40" "48"] ["r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15"]) };
    (8) => { lower_half!(@ ["0" "8" "16" "24" "32" "40" "48" "56"] ["r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15" "rcx"]) };
    (@ [] [$top:literal]) => {
        concat!("mov ", $top, ", 0\n")
    };
    (@ [$at:literal $($more:literal)*] [$sum:literal $($sums:literal)*]) => {
        concat!("mov ", $sum, ", [rdi + ", $at, "]\n", lower_half!(@ [$($more)*] [$($sums)*]))
    };
}
