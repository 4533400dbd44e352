//! Distinguished points as rows.

use limbforge::num_bigint::BigUint;

/// Where a walk has met a distinguished point: all that is needed to walk there again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// The worker that made the walk.
    pub worker: u32,
    /// The walk's life.
    pub epoch: u32,
    /// The walk.
    pub walk: u32,
    /// The steps from its start.
    pub steps: u64,
}

/// The bytes of an origin.
pub const ORIGIN_BYTES: usize = 20;

impl Origin {
    /// Whether both are visits of one walk at most so many steps apart: a walk in a short cycle, which proves nothing.
    #[must_use]
    pub const fn revisits(&self, other: &Self, steps: u64) -> bool {
        self.worker == other.worker
            && self.epoch == other.epoch
            && self.walk == other.walk
            && self.steps.abs_diff(other.steps) <= steps
    }

    /// The bytes in the database.
    #[must_use]
    pub fn to_bytes(self) -> [u8; ORIGIN_BYTES] {
        let mut bytes = [0; ORIGIN_BYTES];
        bytes[..4].copy_from_slice(&self.worker.to_be_bytes());
        bytes[4..8].copy_from_slice(&self.epoch.to_be_bytes());
        bytes[8..12].copy_from_slice(&self.walk.to_be_bytes());
        bytes[12..].copy_from_slice(&self.steps.to_be_bytes());
        bytes
    }

    /// The origin of these bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; ORIGIN_BYTES]) -> Self {
        let number = |first: usize, length: usize| {
            bytes[first..first + length].iter().fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte))
        };
        Self {
            worker: number(0, 4) as u32,
            epoch: number(4, 4) as u32,
            walk: number(8, 4) as u32,
            steps: number(12, 8),
        }
    }
}

/// A distinguished point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// Its x as a big-endian number of as many bytes as the prime has.
    pub x: Vec<u8>,
    /// Where it was met.
    pub origin: Origin,
}

impl Row {
    /// The x.
    #[must_use]
    pub fn number(&self) -> BigUint {
        BigUint::from_bytes_be(&self.x)
    }

    /// The line of a file of points: x, worker, epoch, walk, steps, with tabs between them.
    #[must_use]
    pub fn to_line(&self) -> String {
        let Origin { worker, epoch, walk, steps } = self.origin;
        format!("{:x}\t{worker}\t{epoch}\t{walk}\t{steps}", self.number())
    }

    /// The row of a line, with an x of so many bytes; None for other lines.
    #[must_use]
    pub fn from_line(line: &str, bytes: usize) -> Option<Self> {
        let mut fields = line.split('\t');
        let mut field = || fields.next();
        let x = BigUint::parse_bytes(field()?.as_bytes(), 16)?;
        let origin = Origin {
            worker: field()?.parse().ok()?,
            epoch: field()?.parse().ok()?,
            walk: field()?.parse().ok()?,
            steps: field()?.parse().ok()?,
        };
        if field().is_some() {
            return None;
        }
        Some(Self { x: to_bytes(&x, bytes)?, origin })
    }
}

/// A number as so many big-endian bytes; None if it needs more.
#[must_use]
pub fn to_bytes(number: &BigUint, bytes: usize) -> Option<Vec<u8>> {
    let digits = number.to_bytes_be();
    let mut all = vec![0; bytes.checked_sub(digits.len())?];
    all.extend(digits);
    Some(all)
}
