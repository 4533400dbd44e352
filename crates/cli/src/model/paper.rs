//! The measured tables of Haque, Moreno Maza and Xie (2014), sections 5 and 6: their GPU, their programs, seconds.

use limbforge::algos::model::Application;

/// Sizes n and m, and the seconds for each of the table's parameters.
type Row<const PARAMETERS: usize> = (u64, u64, [f64; PARAMETERS]);

/// The parameters of Table 1.
pub(super) const PRODUCT_PARAMETERS: [u64; 4] = [2, 4, 8, 16];

/// Table 1: products.
const PRODUCT: [Row<4>; 9] = [
    (4000, 4000, [0.004107, 0.002775, 0.003727, 0.004811]),
    (5000, 1000, [0.001684, 0.001204, 0.001432, 0.003645]),
    (5000, 5000, [0.008007, 0.005846, 0.007808, 0.011715]),
    (6000, 1000, [0.001830, 0.001298, 0.001500, 0.004129]),
    (6000, 6000, [0.010359, 0.007614, 0.010166, 0.014352]),
    (7000, 1000, [0.001972, 0.001381, 0.001614, 0.004551]),
    (7000, 7000, [0.013068, 0.008821, 0.012166, 0.016938]),
    (8000, 1000, [0.002111, 0.001456, 0.001739, 0.005015]),
    (8000, 8000, [0.016029, 0.010853, 0.014877, 0.019740]),
];

/// The parameters of Table 2.
const GCD_PARAMETERS: [u64; 2] = [1, 512];

/// Table 2: greatest common divisors.
const GCD: [Row<2>; 9] = [
    (2000, 1500, [0.058, 0.024]),
    (3000, 2500, [0.108, 0.039]),
    (4000, 3500, [0.158, 0.053]),
    (5000, 4500, [0.203, 0.069]),
    (6000, 5000, [0.235, 0.056]),
    (7000, 6000, [0.282, 0.066]),
    (8000, 7000, [0.324, 0.076]),
    (9000, 8000, [0.367, 0.087]),
    (10_000, 9000, [0.411, 0.097]),
];

/// Parameters with the milliseconds that the paper has for them.
pub(super) type Times = Vec<(u64, f64)>;

/// The rows of both tables, in their order.
pub(super) fn rows() -> Vec<(Application, Times)> {
    let products = PRODUCT
        .iter()
        .map(|&(n, m, seconds)| (Application::Multiplication { n, m }, times(PRODUCT_PARAMETERS, seconds)));
    let gcds = GCD.iter().map(|&(n, m, seconds)| (Application::Gcd { n, m }, times(GCD_PARAMETERS, seconds)));
    products.chain(gcds).collect()
}

fn times<const PARAMETERS: usize>(s: [u64; PARAMETERS], seconds: [f64; PARAMETERS]) -> Times {
    s.into_iter().zip(seconds.map(|seconds| 1e3 * seconds)).collect()
}
