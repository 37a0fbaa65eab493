//! Threads that read batches ahead, and end before the interpreter does.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;

use crate::file_object::Raised;

pub(crate) type Batch = Result<RecordBatch, ArrowError>;

const READ_AHEAD: usize = 2;
/// How long the interpreter waits for a thread that is in a read of Python code, which cannot be interrupted.
const PATIENCE: Duration = Duration::from_secs(1);

/// A thread that may be running.
struct Reader {
    batches: Weak<Mutex<Option<Receiver<Batch>>>>,
    raised: Raised,
    ended: Receiver<()>,
}

static READERS: Mutex<Vec<Reader>> = Mutex::new(Vec::new());

/// Batches that another thread makes.
pub(crate) struct Batches {
    schema: SchemaRef,
    receiver: Arc<Mutex<Option<Receiver<Batch>>>>,
}

impl Batches {
    /// Starts a thread that sends batches. It ends when nobody receives them any more, and what it reads ends when `raised` is set.
    pub(crate) fn read_by(
        schema: SchemaRef,
        raised: Raised,
        work: impl FnOnce(&SyncSender<Batch>) + Send + 'static,
    ) -> Self {
        let (sender, receiver) = sync_channel(READ_AHEAD);
        let (alive, ended) = sync_channel(0);
        let receiver = Arc::new(Mutex::new(Some(receiver)));
        let mut readers = lock(&READERS);
        readers.retain(|reader| reader.ended.try_recv() == Err(TryRecvError::Empty));
        readers.push(Reader { batches: Arc::downgrade(&receiver), raised, ended });
        thread::spawn(move || {
            let _alive = alive;
            work(&sender);
        });
        Self { schema, receiver }
    }
}

impl Iterator for Batches {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        // The other thread may need the interpreter, which this one may hold.
        let receiver = &self.receiver;
        Python::attach(|py| {
            py.detach(|| match &*lock(receiver) {
                Some(receiver) => receiver.recv().ok(),
                None => Some(Err(ArrowError::ExternalError("the interpreter has ended the stream".into()))),
            })
        })
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}

/// Ends the threads, so that none calls Python code of an interpreter that is no more.
#[pyfunction]
pub(crate) fn end_readers(py: Python<'_>) {
    py.detach(|| {
        let readers = std::mem::take(&mut *lock(&READERS));
        for reader in &readers {
            reader.raised.end();
            // Who holds the lock is receiving, so the thread does not wait for that.
            if let Some(batches) = reader.batches.upgrade()
                && let Ok(mut receiver) = batches.try_lock()
            {
                receiver.take();
            }
        }
        let until = Instant::now() + PATIENCE;
        for reader in &readers {
            let _ = reader.ended.recv_timeout(until.saturating_duration_since(Instant::now()));
        }
    });
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
