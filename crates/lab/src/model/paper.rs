//! The measured tables of Haque, Moreno Maza and Xie (2014), from `data/papers/many-core-model.json`.

use limbforge::algos::model::Application;
use serde::Deserialize;

use crate::error::LabError;

/// Both tables.
#[derive(Deserialize)]
pub(super) struct Paper {
    /// Table 1.
    products: Table,
    /// Table 2.
    gcds: Table,
}

#[derive(Deserialize)]
struct Table {
    /// Program parameters s.
    parameters: Vec<u64>,
    rows: Vec<Row>,
}

/// Sizes, and the seconds for each parameter.
#[derive(Deserialize)]
struct Row {
    n: u64,
    m: u64,
    seconds: Vec<f64>,
}

/// Parameters with the milliseconds that the paper has for them.
pub(super) type Times = Vec<(u64, f64)>;

impl Paper {
    pub(super) fn read() -> Result<Self, LabError> {
        let text = include_str!("../../data/papers/many-core-model.json");
        serde_json::from_str(text).map_err(|error| LabError::Report {
            path: "data/papers/many-core-model.json".into(),
            why: error.to_string(),
        })
    }

    /// The parameters of Table 1.
    pub(super) fn product_parameters(&self) -> impl Iterator<Item = u64> {
        self.products.parameters.iter().copied()
    }

    /// The rows of both tables, in their order.
    pub(super) fn rows(&self) -> Vec<(Application, Times)> {
        let products = self.products.rows(|n, m| Application::Multiplication { n, m });
        products.chain(self.gcds.rows(|n, m| Application::Gcd { n, m })).collect()
    }
}

impl Table {
    fn rows(&self, application: fn(u64, u64) -> Application) -> impl Iterator<Item = (Application, Times)> {
        self.rows.iter().map(move |Row { n, m, seconds }| {
            let times = self.parameters.iter().zip(seconds);
            (application(*n, *m), times.map(|(&s, seconds)| (s, 1e3 * seconds)).collect())
        })
    }
}
