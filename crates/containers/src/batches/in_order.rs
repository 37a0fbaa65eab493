//! Work on other threads, with its results in order.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use rayon::Yield;

/// Maximum number of items that wait for their results while the next one is made.
const AHEAD: usize = 2;

/// Applies `work` to each item on the current rayon pool, while `next` makes the items after it, and passes the results to
/// `take`, in order. `next` receives an item that was taken, for its memory. On a pool of one thread nothing is done ahead.
pub(crate) fn in_order<I: Send, T: Send, E>(
    next: &mut dyn FnMut(Option<I>) -> Option<I>,
    work: &(dyn Fn(&I) -> T + Sync),
    take: &mut dyn FnMut(&I, T) -> Result<(), E>,
) -> Result<(), E> {
    let mut spent = None;
    if rayon::current_num_threads() == 1 {
        while let Some(item) = next(spent.take()) {
            take(&item, work(&item))?;
            spent = Some(item);
        }
        return Ok(());
    }
    rayon::in_place_scope(|scope| {
        let mut waiting = VecDeque::new();
        while let Some(item) = next(spent.take()) {
            let (sender, receiver) = sync_channel(1);
            scope.spawn(move |_| {
                let result = work(&item);
                // Nobody receives it after an error.
                let _ = sender.send((item, result));
            });
            waiting.push_back(receiver);
            if waiting.len() > AHEAD
                && let Some(first) = waiting.pop_front()
            {
                spent = taken(&first, take)?;
            }
        }
        waiting.iter().try_for_each(|receiver| taken(receiver, take).map(drop))
    })
}

/// Passes an item and its result to `take`, and returns the item; `None` if the work panicked, which the scope passes on.
fn taken<I, T, E>(
    receiver: &Receiver<(I, T)>,
    take: &mut dyn FnMut(&I, T) -> Result<(), E>,
) -> Result<Option<I>, E> {
    let Some((item, result)) = received(receiver) else { return Ok(None) };
    take(&item, result).map(|()| Some(item))
}

/// Waits for a value. A thread of the pool works for the pool meanwhile: the value may be up to that thread.
fn received<T>(receiver: &Receiver<T>) -> Option<T> {
    const PAUSE: Duration = Duration::from_micros(200);
    loop {
        let pause = match rayon::yield_now() {
            None => return receiver.recv().ok(),
            Some(Yield::Executed) => Duration::ZERO,
            Some(Yield::Idle) => PAUSE,
        };
        match receiver.recv_timeout(pause) {
            Ok(value) => return Some(value),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::in_order;

    fn squares(end: u64) -> Result<Vec<u64>, u64> {
        let (mut count, mut taken) = (0, Vec::new());
        let mut next = |_| {
            count += 1;
            (count <= 100).then_some(count)
        };
        let square = |number: &u64| rayon::join(|| number * number, || ()).0;
        in_order(&mut next, &square, &mut |number, square| {
            taken.push(square);
            if *number == end { Err(end) } else { Ok(()) }
        })?;
        Ok(taken)
    }

    /// Also if the caller is a thread of the pool, even of all of it.
    #[test]
    fn results_are_in_order() -> Result<(), rayon::ThreadPoolBuildError> {
        let expected: Vec<u64> = (1..=100).map(|number| number * number).collect();
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
