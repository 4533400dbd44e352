//! How residues are held and multiplied, chosen for each prime.

use limbforge_field::modular::{inv_mod_word, mul_mod, pow_mod};

use crate::{kernel::ntt::table::twiddle, template::Template};

macro_rules! classes {
    ($($(#[$doc:meta])* $class:ident, $bits:literal bits, factors of $factor:literal, $template:ident;)*) => {
        /// How residues are held, chosen by the prime: the cheapest class whose ranges are proved.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ResidueClass {
            $($(#[$doc])* $class,)*
        }

        impl ResidueClass {
            /// All classes, the cheapest first.
            pub const ALL: [Self; [$(Self::$class),*].len()] = [$(Self::$class),*];

            /// The name, as in the documentation.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$class => stringify!($class),)* }
            }

            /// Bits of the words in memory.
            #[must_use]
            pub const fn word_bits(self) -> u32 {
                match self { $(Self::$class => $bits,)* }
            }

            /// Words of 32 bits of a `Twiddle`.
            pub(crate) const fn factor_words(self) -> usize {
                match self { $(Self::$class => $factor,)* }
            }

            /// The residues' template.
            pub(crate) const fn template(self) -> Template {
                match self { $(Self::$class => Template::$template,)* }
            }
        }
    };
}

classes! {
    /// p a little above 2^28, signed words with three spare bits.
    Signed28, 32 bits, factors of 2, Residue28;
    /// p < 2^30, words in [0, 4 p).
    Lazy32, 32 bits, factors of 2, Residue32Lazy;
    /// p < 2^31, words in [0, 2 p).
    Half32, 32 bits, factors of 2, Residue32Half;
    /// p < 2^32, words in [0, p).
    Full32, 32 bits, factors of 1, Residue32;
    /// 2^40 < p < 2^61, words of 64 bits in [0, 8 p), with a quotient that is too small by up to 2.
    Wide64, 64 bits, factors of 4, Residue64Lazy;
    /// 2^40 < p < 2^62, words of 64 bits in [0, 4 p).
    Lazy64, 64 bits, factors of 4, Residue64Lazy;
    /// p = 2^64 - 2^32 + 1, any words of 64 bits.
    Special64, 64 bits, factors of 2, Residue64Special;
    /// p < 2^64, words of 64 bits in [0, p).
    Full64, 64 bits, factors of 2, Residue64;
}

/// 2^64 - 2^32 + 1, the prime of [`ResidueClass::Special64`].
pub(super) const SPECIAL: u64 = u64::MAX - (1 << 32) + 2;

impl ResidueClass {
    /// `SPAN`: products of lazy words are below this times p.
    pub(crate) const fn span(self) -> u32 {
        if matches!(self, Self::Wide64) { 4 } else { 2 }
    }

    /// The members of a `Twiddle` for the factor w in [0, p).
    fn members(self, w: u64, p: u64) -> Vec<u64> {
        match self {
            Self::Signed28 => twiddle(w, p).map(|member| u64::from(member as u32)).to_vec(),
            Self::Lazy32 | Self::Half32 => vec![w, (w << 32) / p],
            Self::Wide64 | Self::Lazy64 => vec![w, ((u128::from(w) << 64) / u128::from(p)) as u64],
            Self::Full32 => vec![mul_mod(w, (1 << 32) % p, p)],
            Self::Special64 | Self::Full64 => vec![mul_mod(w, pow_mod(2, 64, p), p)],
        }
    }

    /// The words of a `Twiddle` in a table.
    pub(crate) fn factor(self, w: u64, p: u64) -> impl Iterator<Item = u32> {
        let words = self.word_bits() as usize / 32;
        let members = self.members(w, p).into_iter();
        members.flat_map(move |member| [member as u32, (member >> 32) as u32].into_iter().take(words))
    }

    /// The initializer of a `Twiddle`.
    pub(crate) fn factor_text(self, w: u64, p: u64) -> String {
        let member = |member: u64| match self {
            Self::Signed28 => format!("{}", member as u32 as i32),
            _ if self.word_bits() == 32 => format!("{member}u"),
            _ => format!("{member}ull"),
        };
        let members: Vec<String> = self.members(w, p).into_iter().map(member).collect();
        format!("{{{}}}", members.join(", "))
    }

    /// The initializer of a `Prime`.
    pub(crate) fn prime_text(self, p: u64) -> String {
        match self {
            Self::Signed28 => format!("{{{p}, -{p}, {}}}", inv_mod_word(p) as u32 as i32),
            Self::Lazy32 | Self::Half32 => format!("{{{p}u}}"),
            Self::Wide64 | Self::Lazy64 | Self::Special64 => format!("{{{p}ull}}"),
            Self::Full32 => format!("{{{p}u, {}u}}", inv_mod_word(p) as u32),
            Self::Full64 => format!("{{{p}ull, {}ull}}", inv_mod_word(p)),
        }
    }
}
