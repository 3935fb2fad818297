//! What holds for all counts.
#![expect(clippy::unwrap_used, reason = "an error should fail the test")]

mod random;

use flagservice_statistics::{
    Arm, Boundary, Difference, ERROR, MINIMUM, Sequence, SplitTest, Verdict, probability_broken,
};
use random::Random;

fn arm(participants: u64, conversions: u64) -> Arm {
    Arm::new(participants, conversions).unwrap()
}

fn any_arm(random: &mut Random) -> Arm {
    let participants = 1 + random.next() % 5_000;
    arm(participants, random.next() % (participants + 1))
}

#[test]
fn the_interval_is_within_its_limits_and_contains_the_estimate() {
    let mut random = Random::new(1);
    for _ in 0..2_000 {
        let sequence = Sequence::new(1 + random.next() % 20_000, ERROR).unwrap();
        let (control, variant) = (any_arm(&mut random), any_arm(&mut random));
        let Difference { estimate, lower, upper, verdict } = sequence.difference(control, variant);
        let estimate = estimate.unwrap();
        assert!(-1.0 <= lower && lower <= estimate && estimate <= upper && upper <= 1.0, "{control:?} {variant:?}");
        match verdict {
            Verdict::Higher => assert!(lower > 0.0),
            Verdict::Lower => assert!(upper < 0.0),
            Verdict::Undecided => assert!(lower <= 0.0 && upper >= 0.0),
            Verdict::TooFew => assert_eq!((lower, upper), (-1.0, 1.0)),
        }
    }
}

#[test]
fn the_arms_are_treated_alike() {
    let mut random = Random::new(2);
    let sequence = Sequence::new(5_000, ERROR).unwrap();
    for _ in 0..1_000 {
        let (one, other) = (any_arm(&mut random), any_arm(&mut random));
        let (forward, backward) = (sequence.difference(one, other), sequence.difference(other, one));
        assert_eq!(forward.lower, -backward.upper);
        assert_eq!(forward.upper, -backward.lower);
        assert_eq!(forward.estimate.unwrap(), -backward.estimate.unwrap());
        assert_eq!(forward.verdict == Verdict::Higher, backward.verdict == Verdict::Lower);
    }
}

#[test]
fn the_interval_narrows_with_participants() {
    let sequence = Sequence::new(5_000, ERROR).unwrap();
    let width = |factor: u64| {
        let Difference { lower, upper, .. } =
            sequence.difference(arm(100 * factor, 20 * factor), arm(50 * factor, 11 * factor));
        upper - lower
    };
    for factor in 1..2_000 {
        assert!(width(factor + 1) <= width(factor), "{factor}");
    }
    assert!(width(2_000) < 0.05 * width(1));
}

#[test]
fn the_boundary_is_narrowest_where_it_is_planned() {
    let half_width = |planned| Boundary::tuned(planned, ERROR).unwrap().half_width(10_000.0, 0.25);
    for planned in [100, 1_000, 5_000, 9_000, 11_000, 20_000, 100_000] {
        assert!(half_width(10_000) < half_width(planned), "{planned}");
    }
    assert_eq!(Boundary::tuned(10_000, ERROR).unwrap().half_width(0.0, 0.25), f64::INFINITY);
}

#[test]
fn too_few_conversions_decide_nothing() {
    let sequence = Sequence::new(2_000, ERROR).unwrap();
    let verdict = |control, variant| sequence.difference(control, variant).verdict;
    assert_eq!(verdict(arm(1_000, MINIMUM - 1), arm(1_000, 900)), Verdict::TooFew);
    assert_eq!(verdict(arm(1_000, 500), arm(1_000, 1_001 - MINIMUM)), Verdict::TooFew);
    assert_eq!(verdict(arm(1_000, MINIMUM), arm(1_000, 900)), Verdict::Higher);
    assert_eq!(sequence.difference(arm(0, 0), arm(5, 1)).estimate, None);
}

#[test]
fn impossible_arguments_are_refused() {
    assert_eq!(Arm::new(3, 4), None);
    assert_eq!(arm(0, 0).rate(), None);
    assert_eq!(Sequence::new(0, ERROR), None);
    for error in [0.0, 0.5, -0.1, f64::NAN] {
        assert_eq!(Sequence::new(1_000, error), None, "{error}");
    }
    for rho_squared in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(Boundary::new(rho_squared, ERROR), None, "{rho_squared}");
    }
    let weights: [&[f64]; 6] = [&[], &[1.0], &[1.0, 0.0], &[1.0, -1.0], &[1.0, f64::NAN], &[f64::MAX, f64::MAX]];
    for weights in weights {
        assert_eq!(SplitTest::new(weights), None, "{weights:?}");
    }
    assert_eq!(SplitTest::with_concentration(&[1.0, 1.0], 0.0), None);
    assert_eq!(SplitTest::new(&[1.0, 1.0]).unwrap().look(&[1, 2, 3]), None);
}

#[test]
fn the_p_value_of_the_split_never_rises() {
    let mut test = SplitTest::new(&[90.0, 10.0]).unwrap();
    assert_eq!(test.look(&[0, 0]), Some(1.0));
    let broken = test.look(&[7_500, 2_500]).unwrap();
    assert!(broken < 1e-9);
    assert_eq!(test.look(&[900_000, 100_000]), Some(broken));
    let resumed = SplitTest::new(&[90.0, 10.0]).unwrap().resume(0.03).resume(f64::NAN);
    assert_eq!(resumed.p_value(), 0.03);
}

#[test]
fn the_split_does_not_depend_on_the_order_of_the_variants() {
    let factor = |weights: &[f64], counts: &[u64]| SplitTest::new(weights).unwrap().ln_bayes_factor(counts).unwrap();
    let (forward, backward) = (factor(&[5.0, 3.0, 2.0], &[520, 290, 210]), factor(&[2.0, 3.0, 5.0], &[210, 290, 520]));
    assert!((forward - backward).abs() < 1e-9);
}

/// Bayes' theorem by hand: odds of 1 to 99 times 99 are even.
#[test]
fn the_probability_of_a_broken_split_follows_from_the_prior() {
    assert!((probability_broken(99.0_f64.ln(), 0.01) - 0.5).abs() < 1e-12);
    assert!((probability_broken(0.0, 0.01) - 0.01).abs() < 1e-12);
    assert_eq!(probability_broken(5.0, 0.0), 0.0);
    assert_eq!(probability_broken(-5.0, 1.0), 1.0);
    assert_eq!(probability_broken(1e9, 0.01), 1.0);
}

#[test]
fn what_is_needed_makes_the_interval_narrow_enough() {
    let sequence = Sequence::new(10_000, ERROR).unwrap();
    let needed = sequence.needed(arm(1_000, 100), arm(1_000, 100), 0.01).unwrap().participants + 2_000;
    let half_width = |each: u64| sequence.difference(arm(each, each / 10), arm(each, each / 10)).upper;
    // The variance is adjusted less the more participants there are, hence 1%.
    assert!(half_width(needed * 101 / 200) <= 0.01);
    assert!(half_width(needed * 99 / 200) <= 0.01 * 1.01);
    assert!(half_width(needed * 97 / 200) > 0.01);
}

#[test]
fn nothing_is_needed_once_the_interval_is_narrow_enough() {
    let sequence = Sequence::new(10_000, ERROR).unwrap();
    let needed = sequence.needed(arm(100_000, 10_000), arm(100_000, 10_100), 0.05).unwrap();
    assert_eq!(needed.participants, 0);
    assert_eq!(needed.days(0.0), Some(0));
}

#[test]
fn nothing_is_said_of_what_never_comes() {
    let sequence = Sequence::new(10_000, ERROR).unwrap();
    let half = arm(1_000, 500);
    for effect in [0.0, -0.1, f64::NAN, 1e-12] {
        assert_eq!(sequence.needed(half, half, effect), None, "{effect}");
    }
    for constant in [arm(0, 0), arm(1_000, 0), arm(1_000, 1_000)] {
        assert_eq!(sequence.needed(half, constant, 0.1), None, "{constant:?}");
    }
}

#[test]
fn days_are_rounded_up() {
    let needed = Sequence::new(10_000, ERROR).unwrap().needed(arm(1_000, 100), arm(1_000, 100), 0.01).unwrap();
    let participants = needed.participants as f64;
    assert_eq!(needed.days(participants), Some(1));
    assert_eq!(needed.days(participants - 1.0), Some(2));
    assert_eq!(needed.days(participants * 3.0), Some(1));
    for per_day in [0.0, -1.0, f64::NAN] {
        assert_eq!(needed.days(per_day), None, "{per_day}");
    }
}
