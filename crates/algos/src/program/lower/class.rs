//! Types that become known step by step: union-find over classes of values that have one type.

use crate::program::ty::Element;

/// A class of values of one type, which may not be known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Class(u32);

#[derive(Clone, Copy, Debug)]
enum State {
    /// The same class as an earlier one.
    Same(Class),
    /// An integer or a residue.
    Open,
    Known(Element),
}

/// All classes of a program.
#[derive(Debug, Default)]
pub(super) struct Classes(Vec<State>);

impl Classes {
    /// A class of a type that is not known yet.
    pub(super) fn open(&mut self) -> Class {
        self.push(State::Open)
    }

    /// A class of a known type.
    pub(super) fn of(&mut self, element: Element) -> Class {
        self.push(State::Known(element))
    }

    fn push(&mut self, state: State) -> Class {
        self.0.push(state);
        Class(self.0.len() as u32 - 1)
    }

    fn root(&self, class: Class) -> Class {
        match self.0[class.0 as usize] {
            State::Same(other) => self.root(other),
            State::Open | State::Known(_) => class,
        }
    }

    /// The type, if it is known.
    pub(super) fn known(&self, class: Class) -> Option<Element> {
        match self.0[self.root(class).0 as usize] {
            State::Known(element) => Some(element),
            State::Open | State::Same(_) => None,
        }
    }

    /// Gives an open class its type.
    pub(super) fn bind(&mut self, class: Class, element: Element) {
        let root = self.root(class);
        if let state @ State::Open = &mut self.0[root.0 as usize] {
            *state = State::Known(element);
        }
    }

    /// Makes an open class the same as another one.
    pub(super) fn unify(&mut self, open: Class, other: Class) {
        let (open, other) = (self.root(open), self.root(other));
        if open != other {
            let (later, earlier) =
                if open.0 > other.0 || self.known(other).is_some() { (open, other) } else { (other, open) };
            self.0[later.0 as usize] = State::Same(earlier);
        }
    }
}
