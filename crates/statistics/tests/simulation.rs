//! Simulated experiments that are looked at 100 times each.
//!
//! `FLAGSERVICE_STATISTICS_EXPERIMENTS` sets how many there are of each scenario, `FLAGSERVICE_STATISTICS_SEED` the seed. With
//! `--nocapture` each scenario prints its figures as JSON; `npm run campaign -- ab-tests` runs 10,000 and writes them to
//! docs/campaigns/ab-tests.md.
#![expect(clippy::unwrap_used, reason = "an error should fail the test")]

mod random;

use flagservice_statistics::{Arm, ERROR, MINIMUM, Sequence, SplitTest, Verdict};
use random::Random;

const EXPERIMENTS: u64 = 400;
const SEED: u64 = 38;
const LOOKS: u64 = 100;

/// How far a share may be above its expected value by chance: it happens once in 30,000 times.
const STANDARD_ERRORS: f64 = 4.0;

/// An experiment: true rates, participants of each arm between two looks, and how many are planned in all.
#[derive(Clone, Copy, Debug)]
struct Scenario {
    rates: [f64; 2],
    participants: [u64; 2],
    planned: u64,
}

/// What an experiment came to.
#[derive(Default)]
struct Outcome {
    /// An interval left out the true difference.
    missed: bool,
    /// The first look that declared a difference.
    declared_at: Option<u64>,
    /// That difference had the wrong sign.
    wrong: bool,
    /// The looks at which a usual 95% interval, which is valid at one look only, declared a difference: a bit for each.
    usual_looks: u128,
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// How many of `trials` participants convert with this probability, which is rounded to 1 / 2^53.
fn converted(random: &mut Random, trials: u64, probability: f64) -> u64 {
    let limit = (probability * (1_u64 << 53) as f64) as u64;
    let mut count = 0;
    let mut left = trials;
    while left > 0 {
        count += u64::from(random.next() >> 11 < limit);
        left -= 1;
    }
    count
}

fn run(scenario: Scenario, random: &mut Random) -> Outcome {
    let Scenario { rates: [first, second], participants: [control, variant], planned } = scenario;
    let sequence = Sequence::new(planned, ERROR).unwrap();
    let mut conversions = [0, 0];
    let mut outcome = Outcome::default();
    for look in 1..=LOOKS {
        let [control_conversions, variant_conversions] = &mut conversions;
        *control_conversions += converted(random, control, first);
        *variant_conversions += converted(random, variant, second);
        let control_arm = Arm::new(look * control, *control_conversions).unwrap();
        let variant_arm = Arm::new(look * variant, *variant_conversions).unwrap();
        let difference = sequence.difference(control_arm, variant_arm);
        let truth = second - first;
        outcome.missed |= truth < difference.lower || truth > difference.upper;
        let (higher, lower) = (difference.verdict == Verdict::Higher, difference.verdict == Verdict::Lower);
        if (higher || lower) && outcome.declared_at.is_none() {
            outcome.declared_at = Some(look);
        }
        outcome.usual_looks |= u128::from(usual_interval_leaves_out_0(control_arm, variant_arm)) << look;
        outcome.wrong |= (higher && truth <= 0.0) || (lower && truth >= 0.0);
    }
    outcome
}

/// The test of two proportions in every textbook, from the same minimum on.
fn usual_interval_leaves_out_0(control: Arm, variant: Arm) -> bool {
    let [(first, first_variance), (second, second_variance)] = [control, variant].map(|arm| {
        let rate = arm.rate().unwrap();
        (rate, rate * (1.0 - rate) / arm.participants() as f64)
    });
    let has_minimum = |arm: &Arm| arm.conversions().min(arm.participants() - arm.conversions()) >= MINIMUM;
    [control, variant].iter().all(has_minimum)
        && (second - first).abs() > 1.959_964 * (first_variance + second_variance).sqrt()
}

/// Runs all experiments of a scenario, and checks the share that missed the truth.
fn simulate(rates: [f64; 2], participants: [u64; 2], planned: u64) -> Vec<Outcome> {
    let scenario = Scenario { rates, participants, planned };
    let experiments = setting("FLAGSERVICE_STATISTICS_EXPERIMENTS", EXPERIMENTS);
    let mut random = Random::new(setting("FLAGSERVICE_STATISTICS_SEED", SEED));
    let outcomes: Vec<_> = (0..experiments).map(|_| run(scenario, &mut random)).collect();
    let [missed, wrong] = [share(&outcomes, |it| it.missed), share(&outcomes, |it| it.wrong)];
    let [declared, usual] = declared(&outcomes);
    println!(
        "figures: {{\"kind\": \"looks\", \"rates\": {rates:?}, \"participants\": {participants:?}, \"planned\": {planned}, \
         \"missed\": {missed}, \"declared\": {declared}, \"wrong\": {wrong}, \"usual\": {usual}}}"
    );
    assert!(missed <= limit(experiments) && wrong <= limit(experiments), "{scenario:?}");
    outcomes
}

fn share(outcomes: &[Outcome], of: impl Fn(&Outcome) -> bool) -> f64 {
    outcomes.iter().filter(|outcome| of(outcome)).count() as f64 / outcomes.len() as f64
}

/// The shares of the experiments that declared a difference at some look: by the sequence, and by a usual interval.
fn declared(outcomes: &[Outcome]) -> [f64; 2] {
    [share(outcomes, |it| it.declared_at.is_some()), share(outcomes, |it| it.usual_looks != 0)]
}

fn limit(experiments: u64) -> f64 {
    ERROR + STANDARD_ERRORS * (ERROR * (1.0 - ERROR) / experiments as f64).sqrt()
}

/// 100 looks, planned for a hundredth, a tenth, and all of the participants, and for ten times as many.
fn plans(participants: [u64; 2]) -> [u64; 4] {
    let all = LOOKS * participants.iter().sum::<u64>();
    [all / 100, all / 10, all, all * 10]
}

#[test]
fn equal_arms_are_seldom_declared_different() {
    for (rate, participants) in [(0.01, 40), (0.05, 20), (0.2, 10), (0.5, 5)] {
        for planned in plans([participants; 2]) {
            simulate([rate; 2], [participants; 2], planned);
        }
    }
}

#[test]
fn equal_arms_of_an_uneven_split_are_seldom_declared_different() {
    for (rate, participants) in [(0.2, [99, 1]), (0.1, [90, 10]), (0.5, [45, 5])] {
        for planned in plans(participants) {
            simulate([rate; 2], participants, planned);
        }
    }
}

/// What the simulation is for: the usual interval fails it.
#[test]
fn a_usual_interval_is_declared_too_often() {
    let [declared, usual] = declared(&simulate([0.2, 0.2], [10, 10], 2_000));
    assert!(declared < ERROR && usual > 0.2, "{declared} {usual}");
}

#[test]
fn the_true_difference_is_seldom_left_out() {
    for (rates, participants) in
        [([0.01, 0.02], [40, 40]), ([0.1, 0.12], [20, 20]), ([0.5, 0.6], [45, 5]), ([0.2, 0.1], [27, 3])]
    {
        for planned in plans(participants) {
            simulate(rates, participants, planned);
        }
    }
}

#[test]
fn a_large_difference_is_found() {
    let [declared, _] = declared(&simulate([0.1, 0.2], [40, 40], 2_000));
    assert!(declared > 0.99);
}

/// A test with one look needs 3,841 participants with each variant to tell 10% from 12% with a power of 80% (two-sided, 5%; the formula
/// of Fleiss, "Statistical Methods for Rates and Proportions", without continuity correction).
#[test]
fn the_power_of_the_sequence_beside_a_test_with_one_look() {
    const EACH: u64 = 96;
    const LOOK_WITH_3840: u64 = 40;
    let at_one_look = |outcomes: &[Outcome], look: u64| share(outcomes, |it| it.usual_looks >> look & 1 == 1);
    let by_then =
        |outcomes: &[Outcome], look: u64| share(outcomes, |it| it.declared_at.is_some_and(|declared| declared <= look));
    for planned in [2 * LOOK_WITH_3840 * EACH, 2 * LOOKS * EACH] {
        let outcomes = simulate([0.1, 0.12], [EACH, EACH], planned);
        for look in (10..=LOOKS).step_by(10) {
            let [sequence, one] = [by_then(&outcomes, look), at_one_look(&outcomes, look)];
            println!(
                "figures: {{\"kind\": \"power\", \"planned\": {planned}, \"participants\": {}, \"sequence\": {sequence}, \
                 \"one\": {one}}}",
                look * EACH
            );
            // What looking at any time costs.
            assert!(sequence <= one + 0.02, "{look}: {sequence} {one}");
        }
        let power = at_one_look(&outcomes, LOOK_WITH_3840);
        assert!((power - 0.8).abs() <= 0.01 + STANDARD_ERRORS * (0.16 / outcomes.len() as f64).sqrt(), "{power}");
        assert!(by_then(&outcomes, 2 * LOOK_WITH_3840) > 0.8, "the sequence needs less than twice the participants");
    }
}

/// Two guards and two variants beside the control make four comparisons, which share the probability of an error, as in the server.
#[test]
fn guards_that_nothing_makes_worse_seldom_trip() {
    const GUARDS: usize = 2;
    const VARIANTS: usize = 2;
    let experiments = setting("FLAGSERVICE_STATISTICS_EXPERIMENTS", EXPERIMENTS);
    let mut random = Random::new(setting("FLAGSERVICE_STATISTICS_SEED", SEED));
    for (rate, participants) in [(0.01, 40), (0.05, 20), (0.2, 10)] {
        let sequence = Sequence::new(3 * LOOKS * participants / 10, ERROR / (GUARDS * VARIANTS) as f64).unwrap();
        let mut trips = || {
            let mut conversions = [[0; 1 + VARIANTS]; GUARDS];
            (1..=LOOKS).any(|look| {
                for conversions in conversions.iter_mut().flatten() {
                    *conversions += converted(&mut random, participants, rate);
                }
                conversions.iter().any(|[control, variants @ ..]| {
                    let arm = |conversions: &u64| Arm::new(look * participants, *conversions).unwrap();
                    let is_worse = |variant| sequence.difference(arm(control), arm(variant)).verdict == Verdict::Higher;
                    variants.iter().any(is_worse)
                })
            })
        };
        let tripped = (0..experiments).filter(|_| trips()).count() as f64 / experiments as f64;
        println!(
            "figures: {{\"kind\": \"guards\", \"rate\": {rate}, \"participants\": {participants}, \"tripped\": {tripped}}}"
        );
        assert!(tripped <= limit(experiments), "{rate}: {tripped}");
    }
}

/// Returns the share of experiments whose p-value was ever at most 5%.
fn simulate_split(shares: [f64; 2], participants: u64) -> f64 {
    let experiments = setting("FLAGSERVICE_STATISTICS_EXPERIMENTS", EXPERIMENTS);
    let mut random = Random::new(setting("FLAGSERVICE_STATISTICS_SEED", SEED));
    let [intended, actual] = shares;
    let declared = (0..experiments).filter(|_| {
        let mut test = SplitTest::new(&[intended, 1.0 - intended]).unwrap();
        let mut first = 0;
        for look in 1..=LOOKS {
            first += converted(&mut random, participants, actual);
            test.look(&[first, look * participants - first]).unwrap();
        }
        test.p_value() <= ERROR
    });
    let share = declared.count() as f64 / experiments as f64;
    println!(
        "figures: {{\"kind\": \"split\", \"shares\": {shares:?}, \"participants\": {participants}, \"declared\": {share}}}"
    );
    share
}

#[test]
fn a_correct_split_is_seldom_declared_broken() {
    let experiments = setting("FLAGSERVICE_STATISTICS_EXPERIMENTS", EXPERIMENTS);
    for (intended, participants) in [(0.5, 100), (0.9, 50), (0.99, 100)] {
        assert!(simulate_split([intended; 2], participants) <= limit(experiments));
    }
}

#[test]
fn a_broken_split_is_found() {
    assert!(simulate_split([0.5, 0.55], 100) > 0.95);
}
