//! Batches from and to files: one integer per line, or raw records; split into chunks, so that a file may be larger
//! than memory.
//!
//! Reading has two steps. [`RecordReader`] cuts the stream into [`Records`], in bounded memory whatever the file
//! holds; `Records` are then parsed one by one, on as many threads as the caller likes.

mod error;
mod format;
mod reader;
mod records;
mod write;

pub use error::{ReadError, RecordError};
pub use format::{NumberFormat, ParseNumberFormatError};
pub use reader::RecordReader;
pub use records::Records;
pub use write::{write_batch, write_instance};
