//! Records of batches, done by all threads, with their results in order.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Weak};

use crate::batches::{Batch, Record, Take};
use crate::caught::caught;

/// Number of batches that wait for their results while the next one is made.
const AHEAD: usize = 1;

/// Applies `work` to each record of the batches that `next` makes, and passes each batch with its results to `take`, in order.
/// `next` receives a batch that was taken, for its memory.
///
/// The calling thread makes and takes the batches, and works on the oldest one when it has to wait for it. All other threads of
/// the current rayon pool only work. None of them is waited for unless it is at work, so the caller may be of the pool itself.
pub(crate) fn in_order<T: Send, E>(
    next: &mut dyn FnMut(Option<Batch>) -> Option<Batch>,
    work: &(dyn Fn(&Batch, &Record) -> T + Sync),
    take: &mut Take<'_, T, E>,
) -> Result<(), E> {
    let others = rayon::current_num_threads() - 1;
    let ahead = if others == 0 { 0 } else { AHEAD };
    rayon::in_place_scope(|scope| {
        let workers: Vec<Sender<Weak<Shared<T>>>> = (0..others)
            .map(|_| {
                // A thread that is busy elsewhere must not keep the batches in memory that are done without it.
                let (worker, batches) = channel::<Weak<Shared<T>>>();
                scope.spawn(move |_| {
                    batches.iter().filter_map(|batch| batch.upgrade()).for_each(|batch| batch.help(work))
                });
                worker
            })
            .collect();
        let (mut waiting, mut taken) = (VecDeque::new(), Vec::new());
        loop {
            let batch = next(reusable(&mut taken));
            let keeps = if batch.is_some() { ahead } else { 0 };
            let is_end = batch.is_none();
            if let Some(batch) = batch {
                let (sender, results) = channel();
                let shared = Arc::new(Shared { batch, begun: AtomicUsize::new(0), results: sender });
                // A worker receives until its sender is dropped.
                workers.iter().for_each(|worker| drop(worker.send(Arc::downgrade(&shared))));
                waiting.push_back((shared, results));
            }
            while waiting.len() > keeps
                && let Some((shared, results)) = waiting.pop_front()
            {
                shared.help(work);
                take(&shared.batch, shared.collected(&results))?;
                taken.push(shared);
            }
            if is_end {
                return Ok(());
            }
        }
    })
}

/// A batch that several threads work on.
struct Shared<T> {
    batch: Batch,
    /// Number of records that a thread has begun.
    begun: AtomicUsize,
    results: Sender<(usize, Option<T>)>,
}

impl<T> Shared<T> {
    /// Works on the records that no other thread has begun.
    fn help(&self, work: &(dyn Fn(&Batch, &Record) -> T + Sync)) {
        loop {
            let at = self.begun.fetch_add(1, Ordering::Relaxed);
            let Some(record) = self.batch.records.get(at) else { return };
            // After an error nobody receives it.
            let _ = self.results.send((at, caught(|| work(&self.batch, record))));
        }
    }

    /// Waits for the results of records that other threads have begun. Returns all results, by record.
    fn collected(&self, results: &Receiver<(usize, Option<T>)>) -> Vec<Option<T>> {
        let mut collected = Vec::new();
        collected.resize_with(self.batch.records.len(), || None);
        results.iter().take(collected.len()).for_each(|(at, result)| collected[at] = result);
        collected
    }
}

/// Returns a batch that no other thread has any more.
fn reusable<T>(taken: &mut Vec<Arc<Shared<T>>>) -> Option<Batch> {
    let at = taken.iter().position(|shared| Arc::strong_count(shared) == 1)?;
    Arc::into_inner(taken.swap_remove(at)).map(|shared| shared.batch)
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::{AHEAD, in_order};
    use crate::batches::budget::Budget;
    use crate::batches::{Batch, Record};
    use crate::framing::Content;

    /// Returns the numbers of all records with their squares, or the number of the batch in which it stops.
    fn squares(stop: usize) -> Result<Vec<(u64, Option<u64>)>, usize> {
        let (mut made, mut reused, mut batches, mut taken) = (0, 0, 0, Vec::new());
        let mut next = |spent: Option<Batch>| {
            made += 1;
            reused += usize::from(spent.is_some());
            let record = |number| Record { number, raw: 0..0, content: Content::NoRecord };
            let records = (made * 10..made * 10 + made % 7).map(record).collect();
            (made <= 100).then(|| Batch { bytes: Vec::new(), records, budget: Budget::default() })
        };
        let square = |_: &Batch, record: &Record| {
            assert!(!record.number.is_multiple_of(1000), "some fail");
            record.number * record.number
        };
        in_order(&mut next, &square, &mut |batch, squares| {
            taken.extend(batch.records.iter().map(|record| record.number).zip(squares));
            batches += 1;
            if batches == stop { Err(stop) } else { Ok(()) }
        })?;
        assert!(100 - reused <= AHEAD + rayon::current_num_threads(), "{reused}");
        Ok(taken)
    }

    /// Also if all threads of a pool call it at once.
    #[test]
    fn results_are_in_order() -> Result<(), rayon::ThreadPoolBuildError> {
        let numbers = (1..=100).flat_map(|batch| batch * 10..batch * 10 + batch % 7);
        let expected: Vec<_> =
            numbers.map(|number| (number, (number % 1000 != 0).then_some(number * number))).collect();
        assert_eq!(squares(0).as_ref(), Ok(&expected));
        assert_eq!(squares(50), Err(50));
        for threads in 1..=3 {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
            for results in pool.broadcast(|_| squares(0)) {
                assert_eq!(results.as_ref(), Ok(&expected), "{threads}");
            }
        }
        Ok(())
    }
}
