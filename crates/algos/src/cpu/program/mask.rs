//! Sets of instances of a tile.

use core::ops::Range;

/// A set of instances of a tile, of which there are at most 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mask(u64);

impl Mask {
    /// Instances of the largest tile.
    pub(super) const MOST: usize = u64::BITS as usize;

    pub(super) const EMPTY: Self = Self(0);

    /// The first `len` instances, of 64 at most.
    pub(super) const fn first(len: usize) -> Self {
        Self(if len == 0 { 0 } else { u64::MAX >> (Self::MOST - len) })
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// This instance alone.
    pub(super) const fn only(instance: usize) -> Self {
        Self(1 << instance)
    }

    /// Those for which a condition holds.
    pub(super) fn filter(self, condition: impl Fn(usize) -> bool) -> Self {
        self.iter().filter(|&instance| condition(instance)).fold(Self::EMPTY, |all, i| Self(all.0 | 1 << i))
    }

    /// The instances from the lowest on.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let lowest = rest.trailing_zeros();
            (rest != 0).then(|| {
                rest &= rest - 1;
                lowest as usize
            })
        })
    }

    /// The instances, if none is missing between them.
    pub(super) const fn range(self) -> Option<Range<usize>> {
        let start = self.0.trailing_zeros();
        if start == u64::BITS {
            return None;
        }
        let shifted = self.0 >> start;
        if shifted & shifted.wrapping_add(1) == 0 {
            Some(start as usize..(start + shifted.trailing_ones()) as usize)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Mask;

    #[test]
    fn ranges_have_no_gaps() {
        let of = |bits: &[usize]| Mask::first(64).filter(|i| bits.contains(&i));
        assert_eq!(Mask::EMPTY.range(), None);
        assert_eq!(Mask::first(64).range(), Some(0..64));
        assert_eq!(Mask::only(63).range(), Some(63..64));
        assert_eq!(of(&[3, 4, 5]).range(), Some(3..6));
        assert_eq!(of(&[3, 5]).range(), None);
        assert_eq!(of(&[0, 63]).range(), None);
        assert_eq!(of(&[62, 63]).range(), Some(62..64));
        assert_eq!(of(&[0, 9, 63]).iter().collect::<Vec<_>>(), [0, 9, 63]);
        assert_eq!(Mask::first(5).without(of(&[1, 7])).len(), 4);
    }
}
