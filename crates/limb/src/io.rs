//! Files of integers: one integer per line, or binary records. Chunks allow files larger than memory.
//!
//! | step | from a stream | from blocks of memory, on any number of threads |
//! | --- | --- | --- |
//! | split | [`RecordReader`], in bounded memory whatever the file contains | [`Splitter`], without a copy |
//! | parse | [`Records::to_batch`] | [`Records::parse_range`], or [`records_mut`] without a copy |
//! | format | [`write_batch`] | [`write_instances`] |

mod binary;
mod format;
mod line;
mod places;
mod reader;
mod records;
mod splitter;
mod write;

pub use binary::{check_records, records_mut};
pub use format::{NumberFormat, ParseNumberFormatError, ReadError, RecordError};
pub use reader::RecordReader;
pub use records::{Records, parse_record};
pub use splitter::Splitter;
pub use write::{write_batch, write_instance, write_instances};
