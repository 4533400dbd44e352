//! The instructions of rows, in two orders of additions: see [`Order`](super::order::Order).

/// Columns of a row, with registers or memory for the high half of a column and for zero: offsets of limbs of
/// a, each with the register to which the low half is added. The last high half starts the top limb. No carry
/// leaves that one, so both flags are clear after a row.
macro_rules! line {
    ([$high:literal $zero:literal] $top:literal: $at:literal $sum:literal) => {
        concat!(
            "mulx ", $top, ", rax, [rsi + ", $at, "]\n",
            "adcx ", $sum, ", rax\n",
            "adcx ", $top, ", ", $zero, "\n",
            "adox ", $top, ", ", $zero, "\n",
        )
    };
    ([$high:literal $zero:literal] $top:literal:
        $at:literal $sum:literal $next_at:literal $next:literal $($more:literal)*) => {
        concat!(
            "mulx ", $high, ", rax, [rsi + ", $at, "]\n",
            "adcx ", $sum, ", rax\n",
            "adox ", $next, ", ", $high, "\n",
            line!([$high $zero] $top: $next_at $next $($more)*),
        )
    };
}

/// The columns of a row above its lowest one, as [`line`], in an order of additions. The high half of the lowest
/// column is in a register and not yet added. `high_first` has high halves in that one and in the register of the
/// top limb by turns, so that the number of columns must be odd.
macro_rules! upper_columns {
    (low_first [$high:literal $zero:literal] $top:literal: $at:literal $sum:literal $($more:literal)*) => {
        concat!(
            "adox ", $sum, ", ", $high, "\n",
            line!([$high $zero] $top: $at $sum $($more)*),
        )
    };
    (high_first [$high:literal $zero:literal] $top:literal: $at:literal $sum:literal) => {
        concat!(
            "mulx ", $top, ", rax, [rsi + ", $at, "]\n",
            "adox ", $sum, ", ", $high, "\n",
            "adcx ", $sum, ", rax\n",
            "adcx ", $top, ", ", $zero, "\n",
            "adox ", $top, ", ", $zero, "\n",
        )
    };
    (high_first [$high:literal $zero:literal] $top:literal: $at:literal $sum:literal $($more:literal)*) => {
        concat!(
            "mulx ", $top, ", rax, [rsi + ", $at, "]\n",
            "adox ", $sum, ", ", $high, "\n",
            "adcx ", $sum, ", rax\n",
            upper_columns!(high_first [$top $zero] $high: $($more)*),
        )
    };
}

/// Eight rows of eight columns, whose sum returns to its registers: offsets of the limbs of b, registers.
macro_rules! block {
    (8, $add:tt) => {
        concat!(
            "push 0\n",
            "lea rax, [rbp + 8]\n", "test rax, rax\n", "jg 7f\n",
            "6:\n", "xor eax, eax\n",
            block!(@ $add ["0" "8" "16" "24" "32" "40" "48" "56"]
                "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15"),
            "add rbp, 8\n", "lea rax, [rbp + 8]\n", "test rax, rax\n", "jle 6b\n",
            "7:\n", "pop rax\n",
        )
    };
    ($w:tt, $add:tt) => { "" };
    (@ $add:tt [] $($sum:literal)*) => { "" };
    (@ $add:tt [$b:literal $($more:literal)*] $lowest:literal $next:literal $($sum:literal)*) => {
        concat!(
            "mov rdx, [rbx + 8*rbp + ", $b, "]\n",
            // Else both chains would wait for those of the row before.
            "xor eax, eax\n",
            "mulx rcx, rax, [rsi]\n",
            "adcx ", $lowest, ", rax\n",
            block!(@ $add $b $lowest),
            "mov [rdi + 8*rbp + ", $b, "], ", $lowest, "\n",
            "adox ", $next, ", rcx\n",
            block!(@@ $lowest: ["8" "16" "24" "32" "40" "48" "56"] [$next $($sum)*]),
            block!(@ $add [$($more)*] $next $($sum)* $lowest),
        )
    };
    (@@ $lowest:literal: [$($at:literal)*] [$($sum:literal)*]) => {
        line!(["rcx" "[rsp]"] $lowest: $($at $sum)*)
    };
    (@ set $b:literal $lowest:literal) => { "" };
    (@ add $b:literal $lowest:literal) => { concat!("adox ", $lowest, ", [rdi + 8*rbp + ", $b, "]\n") };
}

/// Columns of the first row, which nothing is added to: the sum of limb i and the high half of column i.
macro_rules! first_line {
    ($add:literal: $sum:literal) => {
        concat!($add, " ", $sum, ", 0\n")
    };
    ($add:literal: $sum:literal $at:literal $next:literal $($more:literal)*) => {
        concat!(
            "mulx ", $next, ", rax, [rsi + ", $at, "]\n",
            $add, " ", $sum, ", rax\n",
            first_line!("adc": $next $($more)*),
        )
    };
}

/// Writes registers to limbs of the result.
macro_rules! stored {
    ($($at:literal $sum:literal)*) => {
        concat!($("mov [rdi + ", $at, "], ", $sum, "\n"),*)
    };
}
