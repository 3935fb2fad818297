//! Properties of time conditions: variants change at the next turn, and not before.

use crate::arbitrary::{key, rule, splits, targeting};
use flagservice_rules::{CompiledFeature, Condition, Instant, Key, Operator, Split, User, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

/// 2026-11-20T00:00:00Z. The dates of the conditions lie in the following three days.
const START: i64 = 1_795_132_800_000;
const END: i64 = START + 3 * DAY_MS;

fn feature(rules: Vec<Vec<Condition>>) -> CompiledFeature {
    // Each rule serves another variant, so that the variant shows which rule matched.
    let rules = rules.into_iter().zip(["a", "b", "c"]).map(|(conditions, variant)| {
        let splits = splits(&[100_000]).into_iter().map(|split| Split { variant: key(variant), ..split });
        rule(conditions, splits.collect())
    });
    let audiences = BTreeMap::<Key, Vec<Condition>>::new();
    CompiledFeature::compile(&key("checkout"), "1", &targeting(rules.collect()), &audiences)
}

fn time_condition() -> impl Strategy<Value = Condition> {
    let date = (20..23_u8, 0..24_u8, 0..60_u8, prop::sample::select(vec!["", ":30.0005", ":59.999"]));
    let date = (date, prop::sample::select(vec![Operator::Before, Operator::After])).prop_map(
        |((day, hour, minute, rest), operator)| Condition {
            attribute: "flagservice.date".to_owned(),
            operator,
            values: vec![Value::Text(format!("2026-11-{day}T{hour:02}:{minute:02}{rest}"))],
        },
    );
    let numeric = [
        Operator::Equals,
        Operator::In,
        Operator::NotIn,
        Operator::GreaterThan,
        Operator::GreaterThanOrEqual,
        Operator::LessThan,
        Operator::LessThanOrEqual,
    ];
    let hour = (prop::sample::select(numeric.to_vec()), vec(-1..25_i8, 1..4)).prop_map(|(operator, hours)| Condition {
        attribute: "flagservice.hourofday".to_owned(),
        operator,
        values: hours.into_iter().map(|hour| Value::Number(f64::from(hour))).collect(),
    });
    prop_oneof![date, hour]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_variant_changes_before_the_next_turn(
        rules in vec(vec(time_condition(), 0..3), 1..4),
        now in START - DAY_MS..END,
    ) {
        let feature = feature(rules);
        let user = User { id: "alice".to_owned(), ..User::default() };
        let now = Instant(now);
        let variant = feature.variant(&user, now);
        let turn = feature.next_turn(now).map_or(END + 2 * DAY_MS, |turn| turn.0);
        prop_assert!(turn > now.0);
        // Check every minute, where hours and most dates change, and the last instant before the turn.
        let minutes = (now.0 / MINUTE_MS + 1..).map(|minute| minute * MINUTE_MS).take_while(|instant| *instant < turn);
        for instant in minutes.flat_map(|minute| [minute - 1, minute]).chain([turn - 1]) {
            let then = Instant(instant.max(now.0));
            prop_assert_eq!(feature.variant(&user, then), variant, "at {:?}, now {:?}", then, now);
        }
    }

    #[test]
    fn a_single_time_condition_changes_at_its_next_turn(condition in time_condition(), now in START - DAY_MS..END) {
        let feature = feature(vec![vec![condition]]);
        let user = User { id: "alice".to_owned(), ..User::default() };
        if let Some(turn) = feature.next_turn(Instant(now)) {
            prop_assert_ne!(feature.variant(&user, turn), feature.variant(&user, Instant(now)));
            prop_assert_eq!(feature.variant(&user, Instant(turn.0 - 1)), feature.variant(&user, Instant(now)));
        }
    }
}

#[test]
fn evaluation_works_at_the_smallest_and_largest_instants() {
    let condition =
        |attribute: &str, operator, value| Condition { attribute: attribute.to_owned(), operator, values: vec![value] };
    let hours = condition("flagservice.hourofday", Operator::LessThan, Value::Number(12.0));
    let date = condition("flagservice.date", Operator::After, Value::Text("9999-12-31".to_owned()));
    let always = feature(vec![vec![date.clone()]]);
    let feature = feature(vec![vec![hours], vec![date]]);
    let user = User::default();
    for now in [i64::MIN, i64::MIN + 1, -1, 0, i64::MAX - 1, i64::MAX] {
        feature.variant(&user, Instant(now));
        assert!(feature.next_turn(Instant(now)).is_none_or(|turn| turn > Instant(now)), "{now}");
    }
    assert_eq!(always.variant(&user, Instant(i64::MAX)), &key("a"), "long after 9999");
    assert_eq!(always.variant(&user, Instant(i64::MIN)), &key("off"), "long before 9999");
}
