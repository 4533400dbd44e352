//! Files of integers: one integer per line, or binary records. Chunks allow files larger than memory.
//!
//! Reading has two steps. [`RecordReader`] splits the stream into [`Records`], in bounded memory whatever the
//! file contains. `Records` are then parsed one by one, on any number of threads.

mod format;
mod reader;
mod records;
mod write;

pub use format::{NumberFormat, ParseNumberFormatError, ReadError, RecordError};
pub use reader::RecordReader;
pub use records::Records;
pub use write::{write_batch, write_instance};
