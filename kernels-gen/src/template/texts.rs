//! The texts of `templates/` and those that each needs.

/// The templates in the order of inclusion: a name, a file, and the templates whose functions it calls.
macro_rules! templates {
    ($($name:ident $file:literal [$($need:ident)*])*) => {
        /// A text of `templates/` that kernels include as it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Template {
            $($name),*
        }

        const TEXTS: &[&str] = &[$(include_str!(concat!("../../templates/", $file, ".cuh"))),*];
        const NEEDS: &[&[Template]] = &[$(&[$(Template::$need),*]),*];
    };
}

templates! {
    // Numbers of expressions.
    Layout "layout" []
    Results "results" [Layout]
    Add "add" [Layout]
    Bits "bits" [Layout]
    Cmp "cmp" [Add]
    Stage "stage" []
    Shift "shift" [Stage]
    Instance "instance" []
    Count "count" [Instance]
    Amount "amount" [Instance]
    ShiftBy "shift_by" [Shift]
    Rotate "rotate" [Amount ShiftBy]
    Mask "mask" []
    Field "field" [ShiftBy Mask]
    Chains "chains" []
    Partial "partial" [Chains]
    MulClassical "mul_classical" [Stage]
    MulWide "mul_wide" [MulClassical Partial]
    Crt "crt" []
    MulHigh "mul_high" [MulWide]

    // Divisions within a warp: by blocks, or in steps.
    LanesTransfer "lanes_transfer" []
    Lanes "lanes" [LanesTransfer Chains]
    DivNewton "div_newton" [Bits Cmp]
    SkipMask "unless" []
    ThreeByTwo "three_by_two" []
    DivNewtonNormalise "div_newton_normalise" [DivNewton ThreeByTwo]
    DivNewtonShort "div_newton_short" [DivNewtonNormalise]
    DivNewtonDigit "div_newton_digit" [DivNewton ThreeByTwo]
    DivEstimate "div_estimate" [Cmp Shift Lanes ThreeByTwo]
    DivWindow "div_window" [DivEstimate]
    DivLengths "div_lengths" []
    TapeDivLengths "tape_div_lengths" []
    Div "div" [DivWindow]
    DivShort "div_short" [Div]
    BlockProducts "block_products" []
    DivBlocks "div_blocks" [DivShort BlockProducts]
    DivSteps "div_steps" [DivShort]
    DivForms "div_forms" [DivShort]
    DivFloor "div_floor" [DivForms]
    Limbs30 "limbs30" [DivForms]
    DivstepsTable "divsteps_table" []
    Divsteps "divsteps" [Limbs30 DivstepsTable]
    Cofactor "cofactor" [Divsteps]
    Montgomery "montgomery" [DivForms Partial]
    Hensel "hensel" [Montgomery]
    Residues "residues" [DivForms]
    DivWide "div_wide" [DivForms]
    MontForm "mont_form" [Montgomery Residues DivWide]
    Mulmod "mulmod" [Residues DivWide MulWide]
    Gcd "gcd" [Divsteps]
    Lcm "lcm" [Gcd Montgomery]
    Powmod "powmod" [Hensel]
    Modinv "modinv" [Cofactor Hensel]
    Modinv2k "modinv2k" [Hensel]
    Xgcd "xgcd" [Cofactor]
    Jacobi "jacobi" [Divsteps]
    Isqrt "isqrt" [DivForms]
    IsqrtRem "isqrt_rem" [Isqrt MulClassical]
    IsSquare "is_square" [IsqrtRem]
    PrimalityStrong "primality_strong" [Powmod Mask]
    PrimalityAfter "primality_after" [Montgomery Mask]
    WordResidue "word_residue" []
    PrimalitySmall "primality_small" [WordResidue]
    PrimalityLucas "primality_lucas" [Montgomery]
    Primality "primality" [PrimalitySmall PrimalityLucas Mask]
    PrimalityParts "primality_parts" [PrimalitySmall PrimalityLucas Mask]
    RootStart "root_start" [DivForms]
    Root "root" [RootStart MulWide]
    PerfectPower "perfect_power" [Root WordResidue]
    LanesWide "lanes_wide" [LanesTransfer MulWide]

    // Products on tensor cores: before and behind the sums of a kernel's phases.
    MulTensor "mul_tensor" []
    MulTensorSquare "mul_tensor_square" [MulTensor]
    MulTensorHalf "mul_tensor_half" [MulTensor]
    MulTensorHigh "mul_tensor_high" []
    MulTensorWarp "mul_tensor_warp" []
    MulTensorTeam "mul_tensor_team" []
    MulTensorWgmma "mul_tensor_wgmma" []

    // Residues, one kind to a kernel, and transforms. Products surround the outer pass backward.
    Residue28 "residue28" []
    Residue32Lazy "residue32_lazy" []
    Residue32Half "residue32_half" []
    Residue32 "residue32" []
    Residue64Lazy "residue64_lazy" []
    Ptx64 "ptx64" []
    Residue64Special "residue64_special" [Ptx64]
    Residue64 "residue64" []
    NttRadix "ntt_radix" []
    NttThree "ntt_three" [NttRadix]
    NttTile "ntt_tile" [NttThree]
    NttBlock "ntt_block" [NttRadix]
    MulNtt "mul_ntt" []

    // Products with constant matrices, and powers by folds.
    DigitRows "digit_rows" []
    DigitSums "digit_sums" [DigitRows]
    ModmulFold "modmul_fold" [DigitSums]
    ModmulFoldSequence "modmul_fold_sequence" [ModmulFold]

    // Powers in residue number systems.
    ModmulRns "modmul_rns" []
    ModmulRnsModuli "modmul_rns_moduli" [ModmulRns]
    ModmulRnsRing "modmul_rns_ring" []
    ModmulRnsRows "modmul_rns_rows" [DigitSums ModmulRnsModuli ModmulRnsRing]
    ModmulRnsExponents "modmul_rns_exponents" []
    ModmulRnsSteps "modmul_rns_steps" [ModmulRnsExponents]
    ModmulRnsGroupModuli "modmul_rns_group_moduli" [ModmulRns]
    ModmulRnsGroupRows "modmul_rns_group_rows" [ModmulRnsGroupModuli ModmulRnsRing]
    ModmulRnsEntries "modmul_rns_entries" [ModmulRnsSteps]
    ModmulRnsPower "modmul_rns_power" [ModmulRnsRows ModmulRnsEntries]
    ModmulRnsGroup "modmul_rns_group" [ModmulRnsGroupRows ModmulRnsEntries]
    ModmulRnsChain "modmul_rns_chain" [ModmulRnsRows ModmulRnsExponents]
    ModmulRnsWalk "modmul_rns_walk" []
    ModmulRnsSequence "modmul_rns_sequence" [ModmulRnsRows ModmulRnsWalk]
    ModmulRnsOpen "modmul_rns_open" []

    // Programs: tapes, and numbers of one thread.
    TapeCodes "tape_codes" []
    ProgramWords "program_words" []
    Tape "tape" []
    ThreadNumbers "thread_numbers" []
    ResidueSums "residue_sums" [ThreadNumbers]
    ResidueThread "residue_thread" [ResidueSums]
    InverseThreadOdd "inverse_thread_odd" []
    GcdThread "gcd_thread" []
    BitsThread "bits_thread" [ThreadNumbers]
    DivideThread "divide_thread" [BitsThread]
    RootThread "root_thread" [ThreadNumbers]
    LcmThread "lcm_thread" []

    // Polynomials and sorts.
    PolyInverse "poly_inverse" []
    Scan "scan" []
}

/// A set of templates, each with those that it needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Templates(u128);

/// The set of each template.
const SETS: [Templates; TEXTS.len()] = sets();

const fn sets() -> [Templates; TEXTS.len()] {
    assert!(TEXTS.len() <= u128::BITS as usize, "a set has a bit for each template");
    let mut sets = [Templates(0); TEXTS.len()];
    let mut i = 0;
    while i < sets.len() {
        sets[i] = Templates(1 << i);
        let mut k = 0;
        while k < NEEDS[i].len() {
            let need = NEEDS[i][k] as usize;
            assert!(need < i, "a template comes after those that it needs");
            sets[i].0 |= sets[need].0;
            k += 1;
        }
        i += 1;
    }
    sets
}

impl Template {
    /// Its text alone.
    pub(crate) const fn text(self) -> &'static str {
        TEXTS[self as usize]
    }
}

impl Templates {
    /// These and those that they need.
    pub(crate) fn of(templates: impl IntoIterator<Item = Template>) -> Self {
        Self(templates.into_iter().fold(0, |set, template| set | SETS[template as usize].0))
    }

    pub(crate) const fn include(&mut self, template: Template) {
        self.0 |= SETS[template as usize].0;
    }

    /// Includes those of another set.
    pub(crate) const fn extend(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Whether a template is among them.
    pub(crate) const fn has(self, template: Template) -> bool {
        self.0 >> template as usize & 1 == 1
    }

    /// Their texts in the order in which kernels include them: none before those that it needs.
    pub(crate) fn texts(self) -> Vec<&'static str> {
        TEXTS.iter().enumerate().filter(|(i, _)| self.0 >> i & 1 == 1).map(|(_, text)| *text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_its_templates_need_once_and_in_order() {
        let set = Templates::of([Template::Rotate, Template::Count]);
        let needed =
            [Template::Stage, Template::Shift, Template::Instance, Template::Amount, Template::ShiftBy];
        assert!(needed.into_iter().all(|template| set.has(template)));
        assert!(!set.has(Template::Mask) && !set.has(Template::Div));
        let texts = set.texts();
        assert_eq!(texts.len(), needed.len() + 2);
        let place = |template: Template| texts.iter().position(|text| *text == TEXTS[template as usize]);
        assert!(
            place(Template::Instance) < place(Template::Count)
                && place(Template::Count) < place(Template::Amount)
        );
        assert_eq!(place(Template::Rotate), Some(texts.len() - 1));
    }
}
