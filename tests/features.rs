//! The features of the facade: `serde` and `rand` reach it, and without `gpu` the CPU computes and says so.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

#[cfg(feature = "serde")]
mod serde {
    use limbforge::field::presets::Goldilocks;
    use limbforge::limb::{I256, U256};
    use limbforge::prelude::*;

    #[test]
    fn values_go_to_json_and_back() {
        let number: U256 = "0xc0ffee".parse().unwrap();
        assert_eq!(serde_json::to_string(&number).unwrap(), "\"0xc0ffee\"");
        assert_eq!(serde_json::from_str::<U256>("\"12648430\"").unwrap(), number);
        assert_eq!(serde_json::from_str::<I256>("\"-0xff\"").unwrap(), I256::from(-255));
        let element = Goldilocks::from(-1_i64);
        let text = serde_json::to_string(&element).unwrap();
        assert_eq!(serde_json::from_str::<Goldilocks>(&text).unwrap(), element);
    }

    #[test]
    fn types_and_batches_go_to_json_and_back() {
        let ty: IntType = "i131".parse().unwrap();
        assert_eq!(serde_json::to_string(&ty).unwrap(), "\"i131\"");
        let batch = Batch::<u64>::from_bigints(ty, Layout::Interleaved, &[(-5).into(), 7.into()]).unwrap();
        let text = serde_json::to_string(&batch).unwrap();
        assert_eq!(serde_json::from_str::<Batch<u64>>(&text).unwrap(), batch);
    }
}

#[cfg(feature = "rand")]
mod rand {
    use limbforge::field::presets::BabyBear;
    use limbforge::limb::U256;
    use limbforge::num_bigint::BigUint;
    use limbforge::prelude::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn values_are_random() {
        let mut rng = StdRng::seed_from_u64(1);
        let (a, b): (U256, U256) = (rng.random(), rng.random());
        assert_ne!(a, b);
        let elements: [BabyBear; 8] = rng.random();
        assert!(elements.windows(2).any(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn batches_are_random_and_use_every_bit_of_their_type() {
        let mut rng = StdRng::seed_from_u64(2);
        for ty in ["u67", "i64", "u1"].map(|ty| ty.parse::<IntType>().unwrap()) {
            let batch = Batch::<u32>::random(ty, Layout::Interleaved, 300, &mut rng).unwrap();
            let values = batch.to_biguints();
            let full = (BigUint::from(1_u32) << ty.bits()) - 1_u32;
            assert_eq!(values.iter().fold(BigUint::ZERO, |any, value| any | value), full, "{ty}");
            assert_eq!(values.iter().fold(full, |all, value| all & value), BigUint::ZERO, "{ty}");
        }
    }
}

#[cfg(not(feature = "gpu"))]
mod without_gpu {
    use limbforge::prelude::*;

    #[test]
    fn a_gpu_is_an_error_and_the_cpu_says_why_it_computes() {
        let error = Engine::gpu(0).unwrap_err();
        assert!(matches!(error, EngineError::BuiltWithoutGpu), "{error}");
        let engine = Engine::auto().with_device_memory(1 << 20);
        assert_eq!(engine.device_name(), "CPU");
        let why = engine.fallback().unwrap().to_string();
        assert!(why.contains("build limbforge with its feature `gpu`"), "{why}");

        let ty = IntType::unsigned(128).unwrap();
        let a = Batch::<u32>::from_biguints(ty, Layout::InstanceMajor, &[7_u32.into()]).unwrap();
        let values = engine.eval(&Expr::parse("a * a + gcd(a, 14)").unwrap(), &[("a", &a)]).unwrap();
        assert_eq!(values.to_biguints(), [56_u32.into()]);
    }
}
