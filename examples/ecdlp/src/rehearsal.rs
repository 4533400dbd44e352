//! A campaign on one machine: workers that report the rows of GPUs at their real rate, die and come back, into one store.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::EcdlpError;
use crate::row::{Origin, Row};
use crate::store::Store;

/// Rows of a transaction, and the longest time that rows wait for it.
const TOGETHER: (usize, Duration) = (1 << 21, Duration::from_secs(5));

/// Reports that wait for the store before workers do.
const WAITING: usize = 256;

/// A campaign.
#[derive(Clone, Copy, Debug)]
pub struct Rehearsal {
    /// Workers.
    pub workers: u32,
    /// Rows of a report.
    pub rows: u32,
    /// Reports of each worker.
    pub reports: u32,
    /// The time between two reports of a worker.
    pub every: Duration,
}

/// What the store made of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Reports, also those that came twice or in part.
    pub reports: u64,
    /// Their rows.
    pub offered: u64,
    /// The rows that the store found new.
    pub new: u64,
    /// Transactions.
    pub transactions: u64,
    /// The whole time in seconds, from the first report to the last transaction.
    pub seconds: f64,
    /// Seconds in which the store was busy.
    pub busy: f64,
    /// Seconds that its thread computed; None where the system does not say.
    pub computed: Option<f64>,
    /// How late in seconds a report was taken at most.
    pub late: f64,
}

/// A report: when it comes, of which worker and segment, and how many of its rows.
type Report = (Duration, u32, u32, u32);

impl Rehearsal {
    /// All different rows.
    #[must_use]
    pub const fn all(&self) -> u64 {
        self.workers as u64 * self.rows as u64 * self.reports as u64
    }

    /// Reports in the order in which they come. Of each four, one comes in part, as its worker dies, and one comes although the
    /// worker dies before it knows; a third of the time later both come whole, from workers that have come back.
    fn schedule(&self) -> Vec<Report> {
        let mut all = vec![];
        for (segment, worker) in (0..self.reports).flat_map(|s| (0..self.workers).map(move |w| (s, w))) {
            let share = f64::from(segment) + f64::from(worker) / f64::from(self.workers);
            let time = self.every.mul_f64(share);
            match (worker + segment) % 4 {
                0 => all.push((time, worker, segment, self.rows / 2)),
                1 => all.push((time, worker, segment, self.rows)),
                _ => {}
            }
            let back = if (worker + segment) % 4 < 2 { self.every / 3 } else { Duration::ZERO };
            all.push((time + back, worker, segment, self.rows));
        }
        all.sort_unstable();
        all
    }

    /// Runs the campaign into a store.
    ///
    /// # Errors
    /// [`EcdlpError::Store`] if the store cannot be written.
    pub fn run(&self, store: &Store) -> Result<Outcome, EcdlpError> {
        let (schedule, start) = (self.schedule(), Instant::now());
        let (sender, receiver) = sync_channel(WAITING);
        thread::scope(|scope| {
            let rows = Rows::of(store);
            scope.spawn(move || report(rows, &schedule, start, &sender));
            take(store, start, &receiver)
        })
    }

    /// Checks that a store has all rows, each once, and no others.
    ///
    /// # Errors
    /// [`EcdlpError::Damaged`] with what is lost, doubled or altered, and those of the store.
    pub fn verify(&self, store: &Store) -> Result<(), EcdlpError> {
        let damaged = |why: String| EcdlpError::Damaged { path: store.path().to_owned(), why };
        let (mut found, rows) = (0, Rows::of(store));
        store.each(|row| {
            let Origin { worker, epoch, walk, .. } = row.origin;
            let is_known = worker < self.workers && epoch < self.reports && walk < self.rows;
            // Rows are functions of their origins, and each x is there once: so is each origin.
            if !is_known || *row != rows.row(worker, epoch, walk) {
                return Err(damaged(format!("a row that no worker has sent: {}", row.to_line())));
            }
            found += 1;
            Ok(())
        })?;
        let pairs = store.summary()?.pairs;
        if found != self.all() || pairs > 0 {
            let all = self.all();
            return Err(damaged(format!("expected {all} rows and no pairs, found {found} and {pairs}")));
        }
        Ok(())
    }
}

/// Makes rows: the same whenever a segment is made again. Nothing looks at their points but the store, which looks for
/// equal ones.
#[derive(Clone, Copy)]
struct Rows {
    /// Bytes of an x.
    bytes: usize,
}

impl Rows {
    fn of(store: &Store) -> Self {
        Self { bytes: (store.curve.bits() as usize).div_ceil(8) }
    }

    fn row(&self, worker: u32, segment: u32, walk: u32) -> Row {
        let mut hash = blake3::Hasher::new();
        for word in [worker, segment, walk] {
            hash.update(&word.to_le_bytes());
        }
        let mut x = vec![0; self.bytes];
        hash.finalize_xof().fill(&mut x);
        Row { x, origin: Origin { worker, epoch: segment, walk, steps: u64::from(walk) + 1 } }
    }
}

/// Sends reports when they are due, or as soon as they are taken.
fn report(rows_of: Rows, schedule: &[Report], start: Instant, sender: &SyncSender<(Duration, Vec<Row>)>) {
    for &(time, worker, segment, rows) in schedule {
        let rows: Vec<Row> = (0..rows).map(|walk| rows_of.row(worker, segment, walk)).collect();
        thread::sleep(time.saturating_sub(start.elapsed()));
        if sender.send((time, rows)).is_err() {
            return;
        }
    }
}

/// Takes reports to the store, those that wait in one transaction.
fn take(
    store: &Store,
    start: Instant,
    receiver: &Receiver<(Duration, Vec<Row>)>,
) -> Result<Outcome, EcdlpError> {
    let (mut outcome, mut waiting, mut first) = (Outcome::default(), vec![], Instant::now());
    let before = computed();
    let mut is_open = true;
    while is_open {
        let left = TOGETHER.1.saturating_sub(first.elapsed());
        match receiver.recv_timeout(left) {
            Ok((time, rows)) => {
                if waiting.is_empty() {
                    first = Instant::now();
                }
                outcome.late = outcome.late.max(start.elapsed().saturating_sub(time).as_secs_f64());
                outcome.reports += 1;
                outcome.offered += rows.len() as u64;
                waiting.extend(rows);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => is_open = false,
        }
        let is_due = !is_open || waiting.len() >= TOGETHER.0 || first.elapsed() >= TOGETHER.1;
        if is_due && !waiting.is_empty() {
            let at = Instant::now();
            outcome.new += store.add(&waiting, None)?;
            waiting.clear();
            outcome.transactions += 1;
            outcome.busy += at.elapsed().as_secs_f64();
        }
        if waiting.is_empty() {
            first = Instant::now();
        }
    }
    outcome.seconds = start.elapsed().as_secs_f64();
    outcome.computed = computed().zip(before).map(|(now, before)| now - before);
    Ok(outcome)
}

/// Seconds that this thread has computed, whatever else the machine does; None where the system does not say.
#[must_use]
pub fn computed() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(stat.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}
