//! [`Diff`]: a value for each side of a change.

/// One of the two sides of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The state before the change.
    Base,
    /// The state after the change.
    Head,
}

impl Side {
    /// Returns the name of the side in data: `base` or `head`.
    pub fn name(self) -> &'static str {
        match self {
            Side::Base => "base",
            Side::Head => "head",
        }
    }
}

/// A value for each side of a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Diff<T> {
    /// The value before the change.
    pub base: T,
    /// The value after the change.
    pub head: T,
}

impl<T> Diff<T> {
    /// Borrows both sides.
    pub fn as_ref(&self) -> Diff<&T> {
        Diff { base: &self.base, head: &self.head }
    }

    /// Borrows both sides mutably.
    pub fn as_mut(&mut self) -> Diff<&mut T> {
        Diff { base: &mut self.base, head: &mut self.head }
    }

    /// Applies a function to each side, the base first.
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> Diff<U> {
        Diff { base: of(self.base), head: of(self.head) }
    }

    /// Pairs each side with the same side of another diff.
    pub fn zip<U>(self, other: Diff<U>) -> Diff<(T, U)> {
        Diff { base: (self.base, other.base), head: (self.head, other.head) }
    }

    /// Returns the value of one side.
    pub fn side(self, side: Side) -> T {
        match side {
            Side::Base => self.base,
            Side::Head => self.head,
        }
    }

    /// Returns each side with its name, the base first.
    pub fn sides(self) -> [(Side, T); 2] {
        [(Side::Base, self.base), (Side::Head, self.head)]
    }
}

impl<T: PartialEq> Diff<T> {
    /// Returns whether both sides are equal.
    pub fn is_same(&self) -> bool {
        self.base == self.head
    }
}

impl<T> Diff<Option<T>> {
    /// Returns the value of the head, or of the base if the head has none.
    pub fn latest(self) -> Option<T> {
        self.head.or(self.base)
    }

    /// Returns both values, or `None` if one side has none.
    pub fn both(self) -> Option<Diff<T>> {
        Some(Diff { base: self.base?, head: self.head? })
    }
}

impl<T> IntoIterator for Diff<T> {
    type Item = T;
    type IntoIter = std::array::IntoIter<T, 2>;

    fn into_iter(self) -> Self::IntoIter {
        [self.base, self.head].into_iter()
    }
}

/// The sides that have something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Presence {
    /// Both sides have it, with different content.
    Both,
    /// Only the head has it: it was added.
    Head,
    /// Only the base has it: it was removed.
    Base,
}

impl Presence {
    /// Returns the presence of something that at least one side has.
    pub fn new(is_in: Diff<bool>) -> Presence {
        match is_in {
            Diff { base: false, head: true } => Presence::Head,
            Diff { base: true, head: false } => Presence::Base,
            _ => Presence::Both,
        }
    }

    /// Returns "new" or "removed" for one side only.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Presence::Both => None,
            Presence::Head => Some("new"),
            Presence::Base => Some("removed"),
        }
    }

    /// Returns the sides that have it, the base first.
    pub fn sides(self) -> &'static [Side] {
        match self {
            Presence::Both => &[Side::Base, Side::Head],
            Presence::Head => &[Side::Head],
            Presence::Base => &[Side::Base],
        }
    }
}
