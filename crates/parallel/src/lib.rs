//! Loops on all cores, compiled once.
//!
//! The methods are those of `rayon`, which shares the work among its threads. Its iterators are compiled again for each
//! loop: forty loops were a fiftieth of the command. Here, a loop is a function that is called with indexes. Each step
//! runs when it is called, and its results are in the order of the items.
//!
//! WebAssembly has one thread, and the loops are ordinary ones there.
//!
//! ```
//! use hieratic_parallel::ParallelSlice as _;
//!
//! let squares: Vec<u32> = [1, 2, 3].par_iter().map(|number| number * number).collect();
//! assert_eq!(squares, [1, 4, 9]);
//! ```

use std::sync::{Mutex, PoisonError};

/// Items of a loop.
#[derive(Clone, Debug)]
pub struct Items<T>(Vec<T>);

/// Loops over references.
pub trait ParallelSlice<T> {
    /// Returns references to the items.
    fn par_iter(&self) -> Items<&T>;
}

impl<T> ParallelSlice<T> for [T] {
    fn par_iter(&self) -> Items<&T> {
        Items(self.iter().collect())
    }
}

/// Loops over owned items.
pub trait ParallelVec<T> {
    /// Returns the items.
    fn into_par_iter(self) -> Items<T>;
}

impl<T> ParallelVec<T> for Vec<T> {
    fn into_par_iter(self) -> Items<T> {
        Items(self)
    }
}

/// An item before and after the loop.
enum Slot<T, R> {
    Item(T),
    Result(R),
    Taken,
}

impl<T: Send> Items<T> {
    /// Calls a function for each item, on all cores.
    pub fn map<R: Send>(self, work: impl Fn(T) -> R + Sync) -> Items<R> {
        let slots: Vec<Mutex<Slot<T, R>>> = self.0.into_iter().map(|item| Mutex::new(Slot::Item(item))).collect();
        for_each_index(slots.len(), &|index| {
            // Each index is called once, so nobody waits for the lock.
            let replace =
                |slot| std::mem::replace(&mut *slots[index].lock().unwrap_or_else(PoisonError::into_inner), slot);
            if let Slot::Item(item) = replace(Slot::Taken) {
                replace(Slot::Result(work(item)));
            }
        });
        let result = |slot: Mutex<Slot<T, R>>| match slot.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Slot::Result(result) => Some(result),
            Slot::Item(_) | Slot::Taken => None,
        };
        Items(slots.into_iter().filter_map(result).collect())
    }

    /// Calls a function for each item, on all cores. Keeps the results that are `Some`.
    pub fn filter_map<R: Send>(self, work: impl Fn(T) -> Option<R> + Sync) -> Items<R> {
        Items(self.map(work).into_iter().flatten().collect())
    }

    /// Calls a function for each item, on all cores. Returns all results of all of them.
    pub fn flat_map_iter<R: Send, I: IntoIterator<Item = R>>(self, work: impl Fn(T) -> I + Sync) -> Items<R> {
        Items(self.map(|item| work(item).into_iter().collect::<Vec<R>>()).into_iter().flatten().collect())
    }

    /// Returns pairs of indexes and items.
    pub fn enumerate(self) -> Items<(usize, T)> {
        Items(self.0.into_iter().enumerate().collect())
    }

    /// Returns pairs of these and other items.
    pub fn zip<O>(self, others: impl IntoIterator<Item = O>) -> Items<(T, O)> {
        Items(self.0.into_iter().zip(others).collect())
    }

    /// Returns the first items.
    pub fn take(mut self, count: usize) -> Items<T> {
        self.0.truncate(count);
        self
    }

    /// Checks a condition for each item, on all cores. Keeps the items that it holds for.
    pub fn filter(self, holds: impl Fn(&T) -> bool + Sync) -> Items<T> {
        self.filter_map(|item| holds(&item).then_some(item))
    }

    /// Returns the number of items.
    pub fn count(self) -> usize {
        self.0.len()
    }

    /// Returns the items as a collection.
    pub fn collect<C: FromIterator<T>>(self) -> C {
        self.0.into_iter().collect()
    }
}

impl<T> IntoIterator for Items<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Calls two functions, on two cores if there are as many.
pub fn join<A: Send, B: Send>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B + Send) -> (A, B) {
    let (mut one, mut other) = (Some(one), Some(other));
    let (mut of_one, mut of_other) = (None, None);
    call_both(&mut || of_one = one.take().map(|call| call()), &mut || of_other = other.take().map(|call| call()));
    match (of_one, of_other) {
        (Some(one), Some(other)) => (one, other),
        _ => unreachable!("both functions are called"),
    }
}

/// Calls a function with each index below a number.
fn for_each_index(count: usize, work: &(dyn Fn(usize) + Sync)) {
    // One call needs no threads, which start with the first loop.
    #[cfg(not(target_os = "wasi"))]
    if count > 1 {
        use rayon::iter::{IntoParallelIterator, ParallelIterator};

        return (0..count).into_par_iter().for_each(work);
    }
    (0..count).for_each(work);
}

fn call_both(one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
    #[cfg(not(target_os = "wasi"))]
    rayon::join(one, other);
    #[cfg(target_os = "wasi")]
    {
        one();
        other();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let names: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
        let lengths: Vec<(usize, usize)> =
            names.par_iter().enumerate().map(|(index, name)| (index, name.len())).collect();
        assert!(lengths.iter().enumerate().all(|(index, found)| *found == (index, names[index].len())));
        let even: Vec<usize> =
            names.into_par_iter().filter_map(|name| name.parse().ok()).filter(|n| n % 2 == 0).collect();
        assert_eq!(even, (0..1000).step_by(2).collect::<Vec<_>>());
    }

    #[test]
    fn steps_follow_each_other() {
        let pairs: BTreeSet<u32> =
            [1, 2, 3].par_iter().zip([10, 20, 30]).take(2).flat_map_iter(|(one, ten)| [*one, ten]).collect();
        assert_eq!(pairs, BTreeSet::from([1, 2, 10, 20]));
        assert_eq!(Vec::<u32>::new().into_par_iter().map(|number| number).collect::<Vec<u32>>(), []);
    }

    #[test]
    fn loops_are_nested() {
        let rows: Vec<Vec<usize>> = (0..20)
            .collect::<Vec<usize>>()
            .into_par_iter()
            .map(|row| (0..20).collect::<Vec<usize>>().into_par_iter().map(|column| row * column).collect())
            .collect();
        assert_eq!(rows[19][19], 361);
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let calls = AtomicUsize::new(0);
        let work = |number: usize| {
            calls.fetch_add(1, Ordering::Relaxed);
            assert!(number != 3, "three");
        };
        let loops = || drop((0..8).collect::<Vec<usize>>().into_par_iter().map(work));
        assert!(catch_unwind(AssertUnwindSafe(loops)).is_err());
        assert!(calls.load(Ordering::Relaxed) > 0);
    }

    #[test]
    fn both_functions_are_called() {
        assert_eq!(join(|| 1, || "b"), (1, "b"));
    }
}
