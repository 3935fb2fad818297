//! Properties of all pairs of environments: users get the same variants if the comparison finds no difference; the names of
//! rules and the index of their conditions do not matter; a copy removes the differences in the copied settings.
//!
//! `FLAGSERVICE_COMPARE_PAIRS` and `FLAGSERVICE_COMPARE_SEED` set the number of pairs and the seed. A failure names the seed
//! and the pair; the same seed gives the same pairs.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "an error should fail the test")]

mod edit;
mod environment;
mod pair;
mod random;
mod users;

use edit::{ConditionEdit, Edit};
use environment::{Environment, name};
use flagservice_rules::{CopySettings, Difference, Rule, RuleAudience, compare, copy};
use pair::{Kind, Pair};
use random::Random;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use users::{find_difference, instant, user};

const PAIRS: u64 = 2_000;
const SEED: u64 = 6;

/// How many users, each at one time, are evaluated for a pair.
const USERS: usize = 24;

/// One in this many pairs is copied with all settings and evaluated for a thousand users.
const THOROUGH_EVERY: u64 = 20;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

fn seed() -> u64 {
    setting("FLAGSERVICE_COMPARE_SEED", SEED)
}

/// Each pair with its number and a random generator of its own.
fn pairs() -> impl Iterator<Item = (u64, Pair, Random)> {
    let (seed, count) = (seed(), setting("FLAGSERVICE_COMPARE_PAIRS", PAIRS));
    (0..count).map(move |number| (number, Pair::generate(seed, number), Random::for_item(!seed, number)))
}

fn describe(number: u64, Pair { kind, source, target }: &Pair) -> String {
    let (source, target) = (source.to_json(), target.to_json());
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

/// The target after the copy; `None` if a rule's audience is unknown.
fn copied(pair: &Pair, settings: CopySettings) -> Option<Environment> {
    let copied = copy(pair.source.side(), pair.target.side(), settings).ok()?;
    Some(Environment { targeting: copied.targeting, audiences: pair.target.audiences.clone() })
}

fn rule_with_unknown_audience(environment: &Environment) -> Option<&Rule> {
    environment.targeting.rules.iter().find(|rule| environment.conditions(rule).is_none())
}

#[test]
fn every_user_gets_the_same_variant_in_equal_environments() {
    for (number, pair, mut random) in pairs() {
        let (source, target) = (&pair.source, &pair.target);
        if !differences(source, target).is_empty() {
            continue;
        }
        let found = find_difference((source, target), USERS, &mut random);
        assert!(found.is_none(), "{found:?} gets different variants in {}", describe(number, &pair));
        // Their variants also change at the same time.
        let (now, source, target) = (instant(&mut random), source.compiled(), target.compiled());
        assert_eq!(source.next_turn(now), target.next_turn(now), "{}", describe(number, &pair));
    }
}

#[test]
fn differences_match_the_structure_in_both_directions() {
    for (number, pair, _) in pairs() {
        let (source, target) = (pair.source.structure(), pair.target.structure());
        let parts = [
            ("enabled", Difference::OnOffState),
            ("offVariant", Difference::OffVariant),
            ("rules", Difference::TargetingRules),
        ];
        let differing = parts.into_iter().filter(|(part, _)| source[part] != target[part]);
        let expected: Vec<_> = differing.map(|(_, difference)| difference).collect();
        assert_eq!(differences(&pair.source, &pair.target), expected, "{}", describe(number, &pair));
        assert_eq!(differences(&pair.target, &pair.source), expected, "swapped, {}", describe(number, &pair));
    }
}

#[test]
fn renaming_a_rule_or_inlining_an_audience_is_not_a_difference() {
    let (mut renamed, mut inlined) = (0, 0);
    for (number, pair, mut random) in pairs() {
        let source = &pair.source;
        let mut target = source.clone();
        for index in 0..source.targeting.rules.len() {
            let rule = &mut target.targeting.rules[index];
            rule.name = format!("{}, renamed", name(&mut random));
            renamed += 1;
            assert_eq!(differences(source, &target), [], "renamed rule {index}: {}", describe(number, &pair));
            let saved = matches!(source.targeting.rules[index].audience, RuleAudience::Saved(_));
            if let (true, Some(conditions)) = (saved, source.conditions(&source.targeting.rules[index])) {
                target.targeting.rules[index].audience = RuleAudience::Inline(conditions);
                inlined += 1;
                assert_eq!(differences(source, &target), [], "inlined rule {index}: {}", describe(number, &pair));
            }
        }
    }
    assert!(renamed > 0 && inlined > 0, "{renamed} renamed, {inlined} inlined");
}

#[test]
fn reordering_different_rules_or_splits_is_a_difference() {
    let (mut rules, mut splits) = (0, 0);
    for (number, pair, _) in pairs() {
        let (source, structure) = (&pair.source, pair.source.structure());
        for index in 1..source.targeting.rules.len() {
            let mut target = source.clone();
            target.targeting.rules.swap(index - 1, index);
            let same = structure["rules"][index - 1] == structure["rules"][index];
            let expected: &[_] = if same { &[] } else { &[Difference::TargetingRules] };
            rules += usize::from(!same);
            assert_eq!(differences(source, &target), expected, "rule {index}: {}", describe(number, &pair));
        }
        for (index, rule) in source.targeting.rules.iter().enumerate().filter(|(_, rule)| rule.splits.len() > 1) {
            let mut target = source.clone();
            target.targeting.rules[index].splits.swap(0, rule.splits.len() - 1);
            splits += 1;
            assert_eq!(differences(source, &target), [Difference::TargetingRules], "{}", describe(number, &pair));
        }
    }
    assert!(rules > 0 && splits > 0, "{rules} pairs of rules, {splits} of splits");
}

#[test]
fn a_copy_removes_the_differences_in_the_selected_settings_and_changes_nothing_else() {
    let mut failed = 0;
    for (number, pair, _) in pairs() {
        let Pair { source, target, .. } = &pair;
        for settings in settings() {
            let context = || format!("{settings:?}, {}", describe(number, &pair));
            let Some(after) = copied(&pair, settings) else {
                assert!(settings.rules && rule_with_unknown_audience(source).is_some(), "failed: {}", context());
                failed += 1;
                continue;
            };
            let remaining = differences(source, &after);
            for (selected, difference) in [
                (settings.enabled, Difference::OnOffState),
                (settings.off_variant, Difference::OffVariant),
                (settings.rules, Difference::TargetingRules),
            ] {
                assert!(!(selected && remaining.contains(&difference)), "{difference}: {}", context());
            }
            let (before, after_copy) = (&target.targeting, &after.targeting);
            assert!(settings.enabled || after_copy.enabled == before.enabled, "{}", context());
            assert!(settings.off_variant || after_copy.off_variant == before.off_variant, "{}", context());
            let replaces_rules = settings.rules && differences(source, target).contains(&Difference::TargetingRules);
            assert!(replaces_rules || after_copy.rules == before.rules, "{}", context());
            let has_unknown_audience = replaces_rules && rule_with_unknown_audience(&after).is_some();
            assert!(!has_unknown_audience, "linked to an audience that the target does not have: {}", context());
        }
    }
    assert!(failed > 0, "no rule uses an unknown audience");
}

#[test]
fn after_copying_all_settings_a_thousand_users_get_the_same_variant_on_both_sides() {
    let all = CopySettings { enabled: true, off_variant: true, rules: true };
    let mut checked = 0;
    for (number, pair, mut random) in pairs().filter(|(number, ..)| number % THOROUGH_EVERY == THOROUGH_EVERY - 1) {
        let Some(after) = copied(&pair, all) else { continue };
        let (source, target) = (pair.source.compiled(), after.compiled());
        for _ in 0..1000 {
            let (user, now) = (user(&mut random), instant(&mut random));
            let (source, target) = (source.variant(&user, now), target.variant(&user, now));
            assert_eq!(source, target, "{user:?} at {now:?}: {}", describe(number, &pair));
        }
        checked += 1;
    }
    assert!(checked > 0, "no pair was checked");
}

/// Prints the counts for the campaign's report.
#[test]
fn generated_pairs_have_the_expected_mix_of_kinds() {
    let mut counts = BTreeMap::<&str, u64>::new();
    let mut edits = BTreeMap::<Edit, [u64; 2]>::new();
    for (number, pair, mut random) in pairs() {
        let differences = differences(&pair.source, &pair.target);
        let kind = match pair.kind {
            Kind::Equivalent => {
                assert_eq!(differences, [], "{}", describe(number, &pair));
                "equivalent"
            }
            Kind::OneEdit(edit) => {
                assert_eq!(differences, [edit.difference()], "{}", describe(number, &pair));
                let is_detected = find_difference((&pair.source, &pair.target), USERS, &mut random).is_some();
                let [made, detected] = edits.entry(edit).or_default();
                (*made, *detected) = (*made + 1, *detected + u64::from(is_detected));
                "oneEdit"
            }
            Kind::Independent => "independent",
        };
        *counts.entry(kind).or_default() += 1;
        *counts.entry(if differences.is_empty() { "equal" } else { "different" }).or_default() += 1;
        *counts.entry("pairs").or_default() += 1;
    }
    println!(
        "figures: {}",
        json!({ "seed": seed().to_string(), "users": USERS, "counts": counts, "edits": edit_counts(&edits) })
    );
    let count = |name| counts.get(name).copied().unwrap_or(0);
    let pairs = count("pairs");
    assert!(pairs >= 1000 && pairs.is_multiple_of(10), "{pairs} pairs: use a multiple of 10, at least 1000");
    let kinds = [count("equivalent"), count("oneEdit"), count("independent")];
    assert_eq!(kinds, [pairs * 4 / 10, pairs * 4 / 10, pairs * 2 / 10]);
    // A few independent pairs are equal by chance.
    assert!(count("equal") >= count("equivalent") && count("different") >= count("oneEdit"));
    assert!(count("different") * 10 > pairs * 5, "{counts:?}");
    for edit in Edit::ALL {
        let [made, detected] = edits.get(&edit).copied().unwrap_or_default();
        assert!(made * 50 >= count("oneEdit"), "{edit:?} was made only {made} times");
        // Test users detect every kind of edit except the order of conditions, which has no effect on them. The comparison
        // may be stricter than evaluation, but never more lenient.
        let is_detectable = edit != Edit::Conditions(ConditionEdit::Order);
        assert_eq!(detected > 0, is_detectable, "{edit:?}: {detected} of {made} detected");
    }
}

fn edit_counts(edits: &BTreeMap<Edit, [u64; 2]>) -> BTreeMap<String, Json> {
    let counts = |(edit, [made, detected]): (&Edit, &[u64; 2])| {
        (format!("{edit:?}"), json!({ "made": made, "detected": detected }))
    };
    edits.iter().map(counts).collect()
}

/// The part of an environment that a comparison looks at.
type Structure = fn(&Environment) -> Json;

/// Incorrect comparisons, each of which ignores something.
fn incorrect_comparisons() -> Vec<(&'static str, Structure)> {
    fn each_rule(environment: &Environment, change: impl Fn(&mut Json)) -> Json {
        let mut structure = environment.structure();
        structure["rules"].as_array_mut().unwrap().iter_mut().for_each(change);
        structure
    }
    fn each_condition(environment: &Environment, change: impl Fn(&mut Json)) -> Json {
        each_rule(environment, |rule| rule["audience"].as_array_mut().into_iter().flatten().for_each(&change))
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
        ("without conditions", |environment| each_rule(environment, |rule| rule["audience"] = Json::Null)),
        ("with unknown audiences as everyone", |environment| {
            each_rule(environment, |rule| {
                if rule["audience"].is_object() {
                    rule["audience"] = json!([]);
                }
            })
        }),
        ("without operators", |environment| {
            each_condition(environment, |condition| condition["operator"] = Json::Null)
        }),
        ("with the first value only", |environment| {
            each_condition(environment, |condition| condition["values"] = condition["values"][0].clone())
        }),
        ("with numbers as strings", |environment| {
            each_condition(environment, |condition| {
                condition["values"] = json!(condition["values"].to_string().replace('"', ""))
            })
        }),
    ]
}

#[test]
fn test_users_detect_incorrect_comparisons() {
    for (description, structure) in incorrect_comparisons() {
        let detected = pairs().any(|(_, pair, mut random)| {
            let (source, target) = (&pair.source, &pair.target);
            structure(source) == structure(target) && find_difference((source, target), USERS, &mut random).is_some()
        });
        assert!(detected, "no user detected a comparison {description}");
    }
}
