//! The first integers of a source, as many as a part of a run has.

use std::path::PathBuf;

use limbforge::prelude::*;

use super::loaded::{End, Loaded, Source};
use crate::error::CliError;

/// A source that ends after so many integers, which it must have.
pub(in crate::eval) struct Limited<B> {
    pub(in crate::eval) source: Box<dyn Source<B>>,
    pub(in crate::eval) left: u64,
    pub(in crate::eval) ty: IntType,
    pub(in crate::eval) path: PathBuf,
}

impl<B: Base> Source<B> for Limited<B> {
    fn load(&mut self, out: &mut [B]) -> Loaded {
        let m = self.ty.limbs::<B>();
        let wanted = out.len() / m;
        let most = usize::try_from(self.left).map_or(wanted, |left| left.min(wanted));
        let mut loaded = self.source.load(&mut out[..most * m]);
        self.left -= loaded.instances as u64;
        if loaded.instances < most && !matches!(loaded.end, Some(End::Failed(_))) {
            let why = "the file has become shorter while it was read".to_owned();
            loaded.end = Some(End::Failed(CliError::Columns { path: self.path.clone(), why }));
        } else if most < wanted && loaded.end.is_none() {
            // The files of a run have parts of one length: no line is named.
            loaded.end = Some(End::Ended { next: 0 });
        }
        loaded
    }
}
