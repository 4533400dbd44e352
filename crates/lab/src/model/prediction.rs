//! The predictions of the model for an application, and its measurements.

use limbforge::algos::model::{Application, Choice, Machine, ModelError, Refinement};

use super::paper::Times;

/// An application with its parameters.
pub(super) struct Prediction {
    pub(super) application: Application,
    pub(super) choices: Vec<Choice>,
    /// The parameter with the least bound.
    pub(super) best: u64,
    /// The parameter with the least refined time: the one to use.
    pub(super) best_refined: u64,
    pub(super) paper: Times,
    pub(super) measured: Option<Measured>,
}

impl Prediction {
    /// The measured time of the refined choice as a multiple of the best measured one.
    pub(super) fn ratio_to_best(&self) -> Option<f64> {
        let measured = self.measured.as_ref()?;
        let (_, best) = measured.best(&self.choices)?;
        let at = self.choices.iter().position(|choice| choice.s == self.best_refined)?;
        Some(measured.choices[at]? / best)
    }
}

/// What explains measured times best, and the parameter that it prefers.
pub(super) type Fit<T> = Result<(T, u64), ModelError>;

/// Milliseconds on a GPU.
pub(super) struct Measured {
    /// None for a choice without a kernel.
    pub(super) choices: Vec<Option<f64>>,
    /// The program by transforms: the product's, and the division's by Newton's inverse.
    pub(super) transforms: Option<f64>,
    /// The machine, by the bound.
    pub(super) fitted: Fit<Machine>,
    pub(super) refinement: Fit<Refinement>,
}

impl Measured {
    /// The fastest parameter, with its milliseconds.
    pub(super) fn best(&self, choices: &[Choice]) -> Option<(u64, f64)> {
        let times = choices.iter().zip(&self.choices).filter_map(|(choice, ms)| Some((choice.s, (*ms)?)));
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}
