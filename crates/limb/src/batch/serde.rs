//! Deserialization of batches, with the checks of [`Batch::from_limbs`].

use serde::de::{Deserialize, Deserializer, Error};

use super::{Batch, Layout};
use crate::base::Base;
use crate::int_type::IntType;

/// The serialized form of a batch.
#[derive(serde::Deserialize)]
#[serde(rename = "Batch")]
struct Parts<B> {
    ty: IntType,
    layout: Layout,
    instances: usize,
    limbs: Vec<B>,
}

impl<'de, B: Base + Deserialize<'de>> Deserialize<'de> for Batch<B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Parts { ty, layout, instances, limbs } = Parts::deserialize(deserializer)?;
        let batch = Self::from_limbs(ty, layout, limbs).map_err(Error::custom)?;
        if batch.instances() != instances {
            let found = batch.instances();
            return Err(Error::custom(format!("expected the limbs of {instances} instances, found {found}")));
        }
        Ok(batch)
    }
}
