//! The state of a run.

use limbforge_hunts::{Folder, HuntError};
use num_bigint::BigUint;
use serde_json::{Value, json};

use crate::composite::{Factor, Number};

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// The numbers and their factors.
    pub(crate) numbers: Vec<Number>,
    /// The level, from 0.
    pub(crate) level: usize,
    /// Its curves that are done.
    pub(crate) done: u64,
    /// The next sigma.
    pub(crate) sigma: u32,
    /// Bytes of the save file.
    pub(crate) saved: u64,
}

impl State {
    /// The state as JSON.
    pub(crate) fn to_json(&self) -> Value {
        let number = |number: &Number| {
            let primes: Vec<Value> =
                number.primes.iter().map(|factor| json!([factor.prime.to_string(), factor.how])).collect();
            let composites: Vec<String> = number.composites.iter().map(BigUint::to_string).collect();
            json!({ "number": number.input.to_string(), "primes": primes, "composites": composites })
        };
        json!({
            "numbers": self.numbers.iter().map(number).collect::<Vec<_>>(),
            "level": self.level, "done": self.done, "sigma": self.sigma, "saved": self.saved,
        })
    }

    /// The state of JSON, if its factors multiply to the numbers.
    fn from_json(value: &Value) -> Option<Self> {
        let big = |value: &Value| BigUint::parse_bytes(value.as_str()?.as_bytes(), 10);
        let number = |value: &Value| {
            let factor =
                |value: &Value| Some(Factor { prime: big(&value[0])?, how: value[1].as_str()?.to_owned() });
            let number = Number {
                input: big(&value["number"])?,
                primes: value["primes"].as_array()?.iter().map(factor).collect::<Option<_>>()?,
                composites: value["composites"].as_array()?.iter().map(big).collect::<Option<_>>()?,
            };
            let is_whole = number.input == number.product() || number.input < BigUint::from(2_u8);
            is_whole.then_some(number)
        };
        Some(Self {
            numbers: value["numbers"].as_array()?.iter().map(number).collect::<Option<_>>()?,
            level: usize::try_from(value["level"].as_u64()?).ok()?,
            done: value["done"].as_u64()?,
            sigma: u32::try_from(value["sigma"].as_u64()?).ok()?,
            saved: value["saved"].as_u64()?,
        })
    }

    /// The state of a folder; None in a new one.
    pub(crate) fn read(folder: &Folder, hunt: &str) -> Result<Option<Self>, HuntError> {
        let Some(value) = folder.state(hunt)? else { return Ok(None) };
        let why = "expected numbers with factors that multiply to them".to_owned();
        let wrong = HuntError::State { path: folder.file("state.json"), why };
        Self::from_json(&value).ok_or(wrong).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let mut number = Number::new(&BigUint::from(1_000_003_u64 * 1_000_033 * 7));
        assert!(number.split(&1_000_003_u32.into(), "sigma 3:5"));
        let numbers = vec![number, Number::new(&(BigUint::from(1_000_003_u32).pow(3)))];
        let state = State { numbers, level: 2, done: 70, sigma: 4_000_000_000, saved: 5 };
        let json = state.to_json();
        assert_eq!(State::from_json(&json), Some(state));
        let mut wrong = json;
        wrong["numbers"][0]["primes"][1][0] = "1000033".into();
        assert_eq!(State::from_json(&wrong), None);
    }
}
