//! What holds for all pairs of environments: equal by comparison means that no user tells them apart; names, and where
//! conditions are kept, never count; after a copy there is no difference in what was copied.
//!
//! `FLAGSERVICE_COMPARE_PAIRS` and `FLAGSERVICE_COMPARE_SEED` make a longer or another run; a failure names the seed and the
//! pair, and the same seed gives the same pairs.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what goes wrong is to fail the test")]

mod edit;
mod environment;
mod pair;
mod random;
mod users;

use edit::{Edit, OfConditions};
use environment::{Environment, name};
use flagservice_rules::{CopySettings, Difference, Rule, RuleAudience, compare, copy};
use pair::{Kind, Pair};
use random::Random;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use users::{instant, told_apart, user};

const PAIRS: u64 = 2_000;
const SEED: u64 = 6;

/// How many users, each at one time, look at a pair.
const USERS: usize = 24;

/// Of so many pairs one is copied whole and looked at by a thousand users.
const THOUSAND_EVERY: u64 = 20;

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

fn seed() -> u64 {
    setting("FLAGSERVICE_COMPARE_SEED", SEED)
}

/// Each pair with its number and choices of its own, and what to say of it in a failure.
fn pairs() -> impl Iterator<Item = (u64, Pair, Random)> {
    let (seed, count) = (seed(), setting("FLAGSERVICE_COMPARE_PAIRS", PAIRS));
    (0..count).map(move |number| (number, Pair::generate(seed, number), Random::of(!seed, number)))
}

fn shown(number: u64, Pair { kind, source, target }: &Pair) -> String {
    let (source, target) = (source.shown(), target.shown());
    format!("FLAGSERVICE_COMPARE_SEED={}, pair {number}, {kind:?}\nsource {source}\ntarget {target}", seed())
}

fn differences(source: &Environment, target: &Environment) -> Vec<Difference> {
    compare(source.side(), target.side())
}

fn settings() -> [CopySettings; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|bits| CopySettings {
        enabled: bits & 1 > 0,
        off_variant: bits & 2 > 0,
        rules: bits & 4 > 0,
    })
}

/// The target after the copy; none when a rule's audience is unknown.
fn copied(pair: &Pair, settings: CopySettings) -> Option<Environment> {
    let copied = copy(pair.source.side(), pair.target.side(), settings).ok()?;
    Some(Environment { targeting: copied.targeting, audiences: pair.target.audiences.clone() })
}

fn unknown(environment: &Environment) -> Option<&Rule> {
    environment.targeting.rules.iter().find(|rule| environment.conditions(rule).is_none())
}

#[test]
fn equal_by_comparison_means_that_no_user_tells_the_two_apart() {
    for (number, pair, mut random) in pairs() {
        let (source, target) = (&pair.source, &pair.target);
        if !differences(source, target).is_empty() {
            continue;
        }
        let found = told_apart((source, target), USERS, &mut random);
        assert!(found.is_none(), "{found:?} tells apart {}", shown(number, &pair));
        // Nor do they turn at different times.
        let (now, source, target) = (instant(&mut random), source.compiled(), target.compiled());
        assert_eq!(source.next_turn(now), target.next_turn(now), "{}", shown(number, &pair));
    }
}

#[test]
fn the_differences_are_those_of_the_structure_the_same_when_swapped() {
    for (number, pair, _) in pairs() {
        let (source, target) = (pair.source.structure(), pair.target.structure());
        let parts = [
            ("enabled", Difference::OnOffState),
            ("offVariant", Difference::OffVariant),
            ("rules", Difference::TargetingRules),
        ];
        let differing = parts.into_iter().filter(|(part, _)| source[part] != target[part]);
        let expected: Vec<_> = differing.map(|(_, difference)| difference).collect();
        assert_eq!(differences(&pair.source, &pair.target), expected, "{}", shown(number, &pair));
        assert_eq!(differences(&pair.target, &pair.source), expected, "swapped, {}", shown(number, &pair));
    }
}

#[test]
fn renaming_a_rule_or_inlining_an_audience_never_makes_a_difference() {
    let (mut renamed, mut inlined) = (0, 0);
    for (number, pair, mut random) in pairs() {
        let source = &pair.source;
        let mut target = source.clone();
        for place in 0..source.targeting.rules.len() {
            let rule = &mut target.targeting.rules[place];
            rule.name = format!("{}, renamed", name(&mut random));
            renamed += 1;
            assert_eq!(differences(source, &target), [], "renamed rule {place}: {}", shown(number, &pair));
            let saved = matches!(source.targeting.rules[place].audience, RuleAudience::Saved(_));
            if let (true, Some(conditions)) = (saved, source.conditions(&source.targeting.rules[place])) {
                target.targeting.rules[place].audience = RuleAudience::Inline(conditions);
                inlined += 1;
                assert_eq!(differences(source, &target), [], "inlined rule {place}: {}", shown(number, &pair));
            }
        }
    }
    assert!(renamed > 0 && inlined > 0, "{renamed} renamed, {inlined} inlined");
}

#[test]
fn another_order_of_structurally_different_rules_or_splits_is_a_difference() {
    let (mut rules, mut splits) = (0, 0);
    for (number, pair, _) in pairs() {
        let (source, structure) = (&pair.source, pair.source.structure());
        for place in 1..source.targeting.rules.len() {
            let mut target = source.clone();
            target.targeting.rules.swap(place - 1, place);
            let same = structure["rules"][place - 1] == structure["rules"][place];
            let expected: &[_] = if same { &[] } else { &[Difference::TargetingRules] };
            rules += usize::from(!same);
            assert_eq!(differences(source, &target), expected, "rule {place}: {}", shown(number, &pair));
        }
        for (place, rule) in source.targeting.rules.iter().enumerate().filter(|(_, rule)| rule.splits.len() > 1) {
            let mut target = source.clone();
            target.targeting.rules[place].splits.swap(0, rule.splits.len() - 1);
            splits += 1;
            assert_eq!(differences(source, &target), [Difference::TargetingRules], "{}", shown(number, &pair));
        }
    }
    assert!(rules > 0 && splits > 0, "{rules} pairs of rules, {splits} of splits");
}

#[test]
fn after_a_copy_there_is_no_difference_in_the_selected_settings_and_the_others_are_the_targets() {
    let mut refused = 0;
    for (number, pair, _) in pairs() {
        let Pair { source, target, .. } = &pair;
        for settings in settings() {
            let place = || format!("{settings:?}, {}", shown(number, &pair));
            let Some(after) = copied(&pair, settings) else {
                assert!(settings.rules && unknown(source).is_some(), "refused: {}", place());
                refused += 1;
                continue;
            };
            let left = differences(source, &after);
            for (selected, difference) in [
                (settings.enabled, Difference::OnOffState),
                (settings.off_variant, Difference::OffVariant),
                (settings.rules, Difference::TargetingRules),
            ] {
                assert!(!(selected && left.contains(&difference)), "{difference}: {}", place());
            }
            assert!(settings.enabled || after.targeting.enabled == target.targeting.enabled, "{}", place());
            assert!(settings.off_variant || after.targeting.off_variant == target.targeting.off_variant, "{}", place());
            assert!(settings.rules || after.targeting.rules == target.targeting.rules, "{}", place());
            let names_what_there_is_not = settings.rules && unknown(&after).is_some();
            assert!(!names_what_there_is_not, "linked to what the target does not have: {}", place());
        }
    }
    assert!(refused > 0, "no rule names an unknown audience");
}

#[test]
fn after_a_copy_of_all_settings_a_thousand_users_get_the_same_variant_in_both_environments() {
    let all = CopySettings { enabled: true, off_variant: true, rules: true };
    let mut looked_at = 0;
    for (number, pair, mut random) in pairs().filter(|(number, ..)| number % THOUSAND_EVERY == THOUSAND_EVERY - 1) {
        let Some(after) = copied(&pair, all) else { continue };
        let (source, target) = (pair.source.compiled(), after.compiled());
        for _ in 0..1000 {
            let (user, now) = (user(&mut random), instant(&mut random));
            let (source, target) = (source.variant(&user, now), target.variant(&user, now));
            assert_eq!(source, target, "{user:?} at {now:?}: {}", shown(number, &pair));
        }
        looked_at += 1;
    }
    assert!(looked_at > 0, "no pair was looked at");
}

/// Counts that the campaign writes down.
#[test]
fn the_pairs_are_equal_nearly_equal_and_different_in_known_shares() {
    let mut counts = BTreeMap::<&str, u64>::new();
    let mut edits = BTreeMap::<Edit, [u64; 2]>::new();
    for (number, pair, mut random) in pairs() {
        let found = differences(&pair.source, &pair.target);
        let kind = match pair.kind {
            Kind::Alike => {
                assert_eq!(found, [], "{}", shown(number, &pair));
                "alike"
            }
            Kind::Near(edit) => {
                assert_eq!(found, [edit.difference()], "{}", shown(number, &pair));
                let apart = told_apart((&pair.source, &pair.target), USERS, &mut random).is_some();
                let [made, seen] = edits.entry(edit).or_default();
                (*made, *seen) = (*made + 1, *seen + u64::from(apart));
                "near"
            }
            Kind::Any => "any",
        };
        *counts.entry(kind).or_default() += 1;
        *counts.entry(if found.is_empty() { "equal" } else { "different" }).or_default() += 1;
        *counts.entry("pairs").or_default() += 1;
    }
    println!(
        "figures: {}",
        json!({ "seed": seed().to_string(), "users": USERS, "counts": counts, "edits": edits_shown(&edits) })
    );
    let count = |name| counts.get(name).copied().unwrap_or(0);
    let pairs = count("pairs");
    assert!(pairs >= 1000 && pairs.is_multiple_of(10), "{pairs} pairs are too few for shares of tenths");
    assert_eq!([count("alike"), count("near"), count("any")], [pairs * 4 / 10, pairs * 4 / 10, pairs * 2 / 10]);
    // Of any two, a few are equal by chance.
    assert!(count("equal") >= count("alike") && count("different") >= count("near"));
    assert!(count("different") * 10 > pairs * 5, "{counts:?}");
    for edit in Edit::ALL {
        let [made, seen] = edits.get(&edit).copied().unwrap_or_default();
        assert!(made * 50 >= count("near"), "{edit:?} was made {made} times only");
        // The users that look for a difference do find those that there are. The order of conditions alone is none to them:
        // the comparison is stricter than they are, never the other way round.
        assert_eq!(seen > 0, edit != Edit::Conditions(OfConditions::Order), "{edit:?}: {seen} of {made} told apart");
    }
}

fn edits_shown(edits: &BTreeMap<Edit, [u64; 2]>) -> BTreeMap<String, Json> {
    edits.iter().map(|(edit, [made, seen])| (format!("{edit:?}"), json!({ "made": made, "toldApart": seen }))).collect()
}

/// What is compared of an environment.
type Structure = fn(&Environment) -> Json;

/// Comparisons that are wrong in one way each, as structures that leave something out.
fn wrong_comparisons() -> Vec<(&'static str, Structure)> {
    fn each_rule(environment: &Environment, change: impl Fn(&mut Json)) -> Json {
        let mut structure = environment.structure();
        structure["rules"].as_array_mut().unwrap().iter_mut().for_each(change);
        structure
    }
    fn each_condition(environment: &Environment, change: impl Fn(&mut Json)) -> Json {
        each_rule(environment, |rule| rule["whom"].as_array_mut().into_iter().flatten().for_each(&change))
    }
    vec![
        ("without the on/off state", |environment| {
            json!([environment.structure()["offVariant"], environment.structure()["rules"]])
        }),
        ("without the off variant", |environment| {
            json!([environment.structure()["enabled"], environment.structure()["rules"]])
        }),
        ("without the order of rules", |environment| {
            let mut rules: Vec<_> =
                environment.structure()["rules"].as_array().unwrap().iter().map(Json::to_string).collect();
            rules.sort();
            json!([environment.structure()["enabled"], environment.structure()["offVariant"], rules])
        }),
        ("without the order of splits", |environment| {
            each_rule(environment, |rule| rule["splits"].as_array_mut().unwrap().sort_by_key(Json::to_string))
        }),
        ("without percentages", |environment| {
            each_rule(environment, |rule| {
                rule["splits"].as_array_mut().unwrap().iter_mut().for_each(|split| split["percentage"] = Json::Null);
            })
        }),
        ("without conditions", |environment| each_rule(environment, |rule| rule["whom"] = Json::Null)),
        ("with an unknown audience as everyone", |environment| {
            each_rule(environment, |rule| {
                if rule["whom"].is_object() {
                    rule["whom"] = json!([]);
                }
            })
        }),
        ("without operators", |environment| {
            each_condition(environment, |condition| condition["operator"] = Json::Null)
        }),
        ("with the first value alone", |environment| {
            each_condition(environment, |condition| condition["values"] = condition["values"][0].clone())
        }),
        ("with texts for numbers", |environment| {
            each_condition(environment, |condition| {
                condition["values"] = json!(condition["values"].to_string().replace('"', ""))
            })
        }),
    ]
}

#[test]
fn users_catch_a_comparison_that_is_wrong() {
    for (how, structure) in wrong_comparisons() {
        let caught = pairs().any(|(_, pair, mut random)| {
            let (source, target) = (&pair.source, &pair.target);
            structure(source) == structure(target) && told_apart((source, target), USERS, &mut random).is_some()
        });
        assert!(caught, "nobody noticed a comparison {how}");
    }
}
