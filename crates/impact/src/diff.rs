//! [`Diff`]: something on both sides of a change.

/// One of the two sides of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The state before the change.
    Base,
    /// The state after the change.
    Head,
}

impl Side {
    /// Returns its name in data: `base` or `head`.
    pub fn name(self) -> &'static str {
        match self {
            Side::Base => "base",
            Side::Head => "head",
        }
    }
}

/// Something on both sides of a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Diff<T> {
    /// It before the change.
    pub base: T,
    /// It after the change.
    pub head: T,
}

impl<T> Diff<T> {
    /// Both sides, borrowed.
    pub fn as_ref(&self) -> Diff<&T> {
        Diff { base: &self.base, head: &self.head }
    }

    /// Both sides, borrowed to be changed.
    pub fn as_mut(&mut self) -> Diff<&mut T> {
        Diff { base: &mut self.base, head: &mut self.head }
    }

    /// Applies a function to each side, the base first.
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> Diff<U> {
        Diff { base: of(self.base), head: of(self.head) }
    }

    /// Returns each side with the same side of another.
    pub fn zip<U>(self, other: Diff<U>) -> Diff<(T, U)> {
        Diff { base: (self.base, other.base), head: (self.head, other.head) }
    }

    /// One side.
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
    /// Reports whether both sides are the same.
    pub fn is_same(&self) -> bool {
        self.base == self.head
    }
}

impl<T> Diff<Option<T>> {
    /// It in the head, or in the base if the head does not have it.
    pub fn latest(self) -> Option<T> {
        self.head.or(self.base)
    }

    /// Both sides, if both have it.
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
    /// Both have it, and not the same.
    Both,
    /// Only the head has it: it is new.
    Head,
    /// Only the base has it: it is removed.
    Base,
}

impl Presence {
    /// Returns the sides that have a value; at least one does.
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
