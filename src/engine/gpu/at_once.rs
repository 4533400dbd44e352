//! Work for several GPUs: a thread for each of them.

use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

/// The results for all items, each from a thread of its own; for a single item from this one.
pub(in crate::engine) fn all_at_once<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let (items, work): (Vec<T>, _) = (items.into_iter().collect(), &work);
    if items.len() == 1 {
        return items.into_iter().map(work).collect();
    }
    thread::scope(|scope| {
        let started: Vec<_> = items.into_iter().map(|item| scope.spawn(move || work(item))).collect();
        started.into_iter().map(joined).collect()
    })
}

/// The result of a thread, or its panic.
pub(super) fn joined<R>(thread: ScopedJoinHandle<'_, R>) -> R {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::all_at_once;

    #[test]
    fn all_items_are_worked_on_at_once_and_results_are_in_order() {
        // One after the other they would wait for ever.
        let barrier = Barrier::new(5);
        let work = |item: usize| {
            let _ = barrier.wait();
            item * item
        };
        assert_eq!(all_at_once(0..5, work), [0, 1, 4, 9, 16]);
        let here = std::thread::current().id();
        assert_eq!(all_at_once([7], |_| std::thread::current().id()), [here]);
        assert!(all_at_once(0..0, |item| item).is_empty());
    }
}
