//! Values that others have published or that another program calculated.
//!
//! "mpmath" means: calculated with mpmath 1.3.0 at 30 digits from the formula in the paper, with its own gamma function,
//! Lambert function and quadrature.
#![expect(clippy::unwrap_used, reason = "an error should fail the test")]

use flagservice_statistics::{
    Arm, Boundary, CONCENTRATION, Difference, ERROR, Needed, Sequence, SplitTest, Verdict, ln_gamma,
};

fn assert_near(actual: f64, expected: f64, tolerance: f64) {
    let distance = (actual - expected).abs();
    assert!(distance <= tolerance * expected.abs().max(1.0), "{actual} instead of {expected}");
}

fn arm(participants: u64, conversions: u64) -> Arm {
    Arm::new(participants, conversions).unwrap()
}

/// Abramowitz and Stegun, Handbook of Mathematical Functions, table 6.1: ln Γ to 10 decimals.
#[test]
fn ln_gamma_agrees_with_the_table_of_abramowitz_and_stegun() {
    for (x, published) in [(1.0, 0.0), (1.25, -0.098_271_836_4), (1.5, -0.120_782_237_6), (1.75, -0.084_401_121_0)] {
        assert!((ln_gamma(x) - published).abs() <= 0.6e-10, "{x}");
    }
}

/// 0.5 is ln √π and 101 is ln 100!; all are from mpmath's `loggamma`.
#[test]
fn ln_gamma_agrees_with_an_independent_calculation() {
    let values = [
        (0.001, 6.907_178_885_383_854),
        (0.5, 0.572_364_942_924_700_1),
        (3.7, 1.428_072_326_665_387_9),
        (14.9, 24.924_132_002_217_277),
        (101.0, 363.739_375_555_563_5),
        (1000.5, 5_908.674_175_848_677),
        (1e7, 151_180_949.369_473_9),
    ];
    for (x, expected) in values {
        assert_near(ln_gamma(x), expected, 1e-14);
    }
}

#[test]
fn ln_gamma_is_not_a_number_where_it_is_not_defined() {
    for x in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
        assert!(ln_gamma(x).is_nan(), "{x}");
    }
}

/// The tests of `confseq`, the implementation by Howard et al. (`uniform_boundaries_unittest.cpp`, "from a reference
/// implementation in R"), for variance 100 and α = 0.05: ρ is 12.60056 and the boundary of the sum 30.35209.
#[test]
fn the_boundary_agrees_with_the_implementation_of_its_authors() {
    let boundary = Boundary::new(1.0 / 12.60056, 0.05).unwrap();
    assert!((100.0 * boundary.half_width(100.0, 1.0) - 30.35209).abs() < 1e-5);
    // The boundary depends only on the product of observations and variance, apart from where it is tightest.
    let same = Boundary::new(4.0 / 12.60056, 0.05).unwrap();
    assert!((25.0 * same.half_width(25.0, 4.0) - 30.35209).abs() < 1e-5);
}

/// `-W₋₁(-α² / e) - 1` by mpmath's `lambertw`.
#[test]
fn the_boundary_is_tuned_as_with_lamberts_function() {
    for (error, expected) in [(0.05, 8.211_968_062_068_254), (0.01, 11.756_371_222_495_44)] {
        assert_near(Boundary::tuned(1_000, error).unwrap().rho_squared() * 1_000.0, expected, 1e-13);
    }
}

/// mpmath, with the second form of the boundary: sqrt(2 (n V ρ² + 1) / (n² ρ²) · ln(sqrt(n V ρ² + 1) / α)).
#[test]
fn differences_agree_with_an_independent_calculation() {
    let cases = [
        (10_000, arm(5_000, 500), arm(5_000, 600), 0.02, 0.018_995_277_866_572_23, Verdict::Higher),
        (10_000, arm(5_000, 600), arm(5_000, 500), -0.02, 0.018_995_277_866_572_23, Verdict::Lower),
        (10_000, arm(900, 45), arm(100, 12), 0.07, 0.130_541_870_194_889, Verdict::Undecided),
        (2_000, arm(10_000, 5_000), arm(10_000, 5_200), 0.02, 0.022_945_703_366_887_375, Verdict::Undecided),
    ];
    for (planned, control, variant, expected, half_width, expected_verdict) in cases {
        let sequence = Sequence::new(planned, ERROR).unwrap();
        let Difference { estimate, lower, upper, verdict } = sequence.difference(control, variant);
        assert_near(estimate.unwrap(), expected, 1e-14);
        assert_near(lower, expected - half_width, 1e-13);
        assert_near(upper, expected + half_width, 1e-13);
        assert_eq!(verdict, expected_verdict);
    }
}

/// With two variants and a concentration of 2 the alternative is the uniform distribution.
#[test]
fn bayes_factors_agree_with_published_ones() {
    let test = SplitTest::with_concentration(&[1.0, 1.0], 2.0).unwrap();
    // MacKay, Information Theory, Inference, and Learning Algorithms (2003), chapter 3, the euro coin: 140 heads of 250, 0.48.
    assert!((test.ln_bayes_factor(&[140, 110]).unwrap().exp() - 0.48).abs() < 0.005);
    // The example of Wikipedia's article on the Bayes factor: 115 successes of 200, 1.2 for the fair coin;
    // 0.005956 / 0.004975 = 1.197.
    assert!(((-test.ln_bayes_factor(&[115, 85]).unwrap()).exp() - 1.197).abs() < 0.001);
}

/// mpmath, from its `loggamma`; the first two also from its quadrature of the mixture of binomial likelihoods.
#[test]
fn bayes_factors_agree_with_an_independent_calculation() {
    let cases: [(&[f64], &[u64], f64, f64); 3] = [
        (&[0.5, 0.5], &[140, 110], 2.0, 0.476_723_359_160_760_24_f64.ln()),
        (&[50.0, 50.0], &[5_200, 4_800], CONCENTRATION, 6.075_817_651_578_969),
        (&[5.0, 3.0, 2.0], &[510, 280, 250], CONCENTRATION, 2.261_371_521_210_136_2),
    ];
    for (weights, counts, concentration, expected) in cases {
        let test = SplitTest::with_concentration(weights, concentration).unwrap();
        assert_near(test.ln_bayes_factor(counts).unwrap(), expected, 1e-11);
    }
}

/// mpmath, by bisection of the formula: 9384.1 and 1348256.6 participants for the width, of which 2,000 were seen. In the last
/// case 2616.8 are enough for the width, and the minimum of 10 conversions in an arm with 6 of 100 is reached before.
#[test]
fn the_participants_needed_agree_with_an_independent_calculation() {
    let needed = |planned, control, variant, effect| {
        let Needed { participants } = Sequence::new(planned, ERROR).unwrap().needed(control, variant, effect).unwrap();
        participants
    };
    assert_eq!(needed(20_000, arm(1_000, 100), arm(1_000, 120), 0.02), 9_385 - 2_000);
    assert_eq!(needed(5_000, arm(1_000, 100), arm(1_000, 120), 0.002), 1_348_257 - 2_000);
    assert_eq!(needed(5_000, arm(900, 45), arm(100, 6), 0.05), 2_617 - 1_000);
}
