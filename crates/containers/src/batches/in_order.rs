//! Records of batches, done by all threads, with their results in order.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Weak};

use absolve_framing::{Batch, Record};

use crate::caught::caught;

/// Number of pieces that wait for their results while the next one is made.
const AHEAD: usize = 1;

/// Receives a range of the records of a batch and the results of the work on them. A result is `None` if the work panicked.
type TakeInOrder<'t, T, E> = dyn FnMut(&Batch, Range<usize>, Vec<Option<T>>) -> Result<(), E> + 't;

/// Applies `work` to each record of the batches that `next` makes, and passes them to `take`, in order, in pieces of `at_once`
/// records or fewer. `next` receives a batch that was taken, for its memory.
///
/// The calling thread makes and takes the pieces, and works on the oldest one when it has to wait for it. All other threads of
/// the current rayon pool only work. None of them is waited for unless it is at work, so the caller may be of the pool itself.
pub(crate) fn in_order<T: Send, E>(
    next: &mut dyn FnMut(Option<Batch>) -> Option<Batch>,
    at_once: usize,
    work: &(dyn Fn(&Batch, &Record) -> T + Sync),
    take: &mut TakeInOrder<'_, T, E>,
) -> Result<(), E> {
    let others = rayon::current_num_threads() - 1;
    let ahead = if others == 0 { 0 } else { AHEAD };
    rayon::in_place_scope(|scope| {
        let workers: Vec<Sender<Weak<Piece<T>>>> = (0..others)
            .map(|_| {
                // A thread that is busy elsewhere must not keep what is done without it in memory.
                let (worker, pieces) = channel::<Weak<Piece<T>>>();
                scope.spawn(move |_| {
                    pieces.iter().filter_map(|piece| piece.upgrade()).for_each(|piece| piece.help(work))
                });
                worker
            })
            .collect();
        let (mut waiting, mut taken) = (VecDeque::new(), Vec::new());
        while let Some(batch) = next(reusable(&mut taken)) {
            let batch = Arc::new(batch);
            let count = batch.records.len();
            for start in (0..count).step_by(at_once) {
                let (sender, results) = channel();
                let (records, begun) = (start..count.min(start + at_once), AtomicUsize::new(start));
                let piece = Arc::new(Piece { batch: Arc::clone(&batch), records, begun, results: sender });
                // A worker receives until its sender is dropped.
                workers.iter().for_each(|worker| drop(worker.send(Arc::downgrade(&piece))));
                waiting.push_back((piece, results));
                if waiting.len() > ahead {
                    take_first(&mut waiting, &mut taken, work, take)?;
                }
            }
        }
        while !waiting.is_empty() {
            take_first(&mut waiting, &mut taken, work, take)?;
        }
        Ok(())
    })
}

type Waiting<T> = VecDeque<(Arc<Piece<T>>, Receiver<(usize, Option<T>)>)>;

/// Takes the oldest piece. A batch that was taken to its end is added to `taken`.
fn take_first<T, E>(
    waiting: &mut Waiting<T>,
    taken: &mut Vec<Arc<Batch>>,
    work: &(dyn Fn(&Batch, &Record) -> T + Sync),
    take: &mut TakeInOrder<'_, T, E>,
) -> Result<(), E> {
    let Some((piece, results)) = waiting.pop_front() else { return Ok(()) };
    piece.help(work);
    take(&piece.batch, piece.records.clone(), piece.collected(&results))?;
    taken.extend((piece.records.end == piece.batch.records.len()).then(|| Arc::clone(&piece.batch)));
    Ok(())
}

/// Records of a batch that several threads work on.
struct Piece<T> {
    batch: Arc<Batch>,
    records: Range<usize>,
    /// The next record that no thread has begun.
    begun: AtomicUsize,
    results: Sender<(usize, Option<T>)>,
}

impl<T> Piece<T> {
    /// Works on the records that no other thread has begun.
    fn help(&self, work: &(dyn Fn(&Batch, &Record) -> T + Sync)) {
        loop {
            let at = self.begun.fetch_add(1, Ordering::Relaxed);
            let Some(record) = self.batch.records[..self.records.end].get(at) else { return };
            // After an error nobody receives it.
            let _ = self.results.send((at, caught(|| work(&self.batch, record))));
        }
    }

    /// Waits for the results of records that other threads have begun. Returns all results, by record.
    fn collected(&self, results: &Receiver<(usize, Option<T>)>) -> Vec<Option<T>> {
        let mut collected = Vec::new();
        collected.resize_with(self.records.len(), || None);
        results.iter().take(collected.len()).for_each(|(at, result)| collected[at - self.records.start] = result);
        collected
    }
}

/// Returns a batch that no other thread has any more.
fn reusable(taken: &mut Vec<Arc<Batch>>) -> Option<Batch> {
    let at = taken.iter().position(|batch| Arc::strong_count(batch) == 1)?;
    Arc::into_inner(taken.swap_remove(at))
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::{AHEAD, in_order};
    use absolve_framing::{Batch, Budget, Content, Record};

    /// Returns the numbers of all records with their squares, or the number of the batch in which it stops.
    fn squares(stop: usize, at_once: usize) -> Result<Vec<(u64, Option<u64>)>, usize> {
        let (mut made, mut reused, mut batches, mut taken) = (0, 0, 0, Vec::new());
        let mut next = |spent: Option<Batch>| {
            made += 1;
            reused += usize::from(spent.is_some());
            let record = |number| Record { number, raw: 0..0, content: Content::NoRecord };
            let records = (made * 10..=made * 10 + made % 7).map(record).collect();
            (made <= 100).then(|| Batch { bytes: Vec::new(), records, budget: Budget::default() })
        };
        let square = |_: &Batch, record: &Record| {
            assert!(!record.number.is_multiple_of(1000), "some fail");
            record.number * record.number
        };
        in_order(&mut next, at_once, &square, &mut |batch, range, squares| {
            assert!(range.len() <= at_once, "{range:?}");
            batches += usize::from(range.end == batch.records.len());
            taken.extend(batch.records[range].iter().map(|record| record.number).zip(squares));
            if batches == stop { Err(stop) } else { Ok(()) }
        })?;
        assert!(100 - reused <= AHEAD + rayon::current_num_threads(), "{reused}");
        Ok(taken)
    }

    /// Also if all threads of a pool call it at once.
    #[test]
    fn results_are_in_order() -> Result<(), rayon::ThreadPoolBuildError> {
        let numbers = (1..=100).flat_map(|batch| batch * 10..=batch * 10 + batch % 7);
        let expected: Vec<_> =
            numbers.map(|number| (number, (number % 1000 != 0).then_some(number * number))).collect();
        for at_once in [1, 4, 1000] {
            assert_eq!(squares(usize::MAX, at_once).as_ref(), Ok(&expected));
        }
        assert_eq!(squares(50, 1000), Err(50));
        for threads in 1..=3 {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
            for results in pool.broadcast(|_| squares(usize::MAX, 3)) {
                assert_eq!(results.as_ref(), Ok(&expected), "{threads}");
            }
        }
        Ok(())
    }
}
