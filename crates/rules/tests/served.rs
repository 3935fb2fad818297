//! What a targeting serves, in short: against what users get of it, for every small targeting.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "an error should fail the test")]

use std::collections::BTreeMap;

use flagservice_rules::{
    AttributeValue, CompiledFeature, Condition, Instant, Key, Rule, RuleAudience, ServedSummary, Split, Targeting,
    User, Value, bucket,
};
use serde_json::{Value as Json, from_value, json};

const FEATURE: &str = "checkout";
const SALT: &str = "salt";

/// Enough that each share of these tests has several of them.
const USERS_PER_GROUP: usize = 24;

type SavedAudiences = BTreeMap<Key, Vec<Condition>>;

fn key(text: &str) -> Key {
    Key::parse(text).unwrap()
}

/// A condition that users of the group match.
fn of_group(group: &str) -> Json {
    json!({ "attribute": group, "operator": "equals", "values": [true] })
}

fn audiences() -> SavedAudiences {
    BTreeMap::from([(key("saved-a"), vec![from_value(of_group("a")).unwrap()]), (key("all"), Vec::new())])
}

/// Everyone, by conditions and by an audience without any; two groups, their intersection, the first by a saved audience; nobody.
fn rule_audiences() -> Vec<RuleAudience> {
    let inline = |groups: &[&str]| {
        RuleAudience::Inline(groups.iter().map(|group| from_value(of_group(group)).unwrap()).collect())
    };
    let saved = |name: &str| RuleAudience::Saved(key(name));
    vec![
        inline(&[]),
        inline(&["a"]),
        inline(&["b"]),
        inline(&["a", "b"]),
        saved("saved-a"),
        saved("all"),
        saved("missing"),
    ]
}

fn splits(shares: &[(&str, f64)]) -> Vec<Split> {
    shares.iter().map(|(name, share)| split(name, *share)).collect()
}

fn split(name: &str, share: f64) -> Split {
    Split { variant: key(name), percentage: share.try_into().unwrap() }
}

/// The last ones are invalid: rules with them never match.
fn rule_splits() -> Vec<Vec<Split>> {
    vec![
        splits(&[("on", 100.0)]),
        splits(&[("off", 100.0), ("on", 0.0)]),
        splits(&[("on", 25.0), ("off", 75.0)]),
        splits(&[("off", 75.0), ("on", 25.0)]),
        splits(&[("on", 50.0)]),
    ]
}

fn rules() -> Vec<Rule> {
    let mut rules = Vec::new();
    for audience in rule_audiences() {
        for splits in rule_splits() {
            rules.push(Rule { name: String::new(), audience: audience.clone(), splits });
        }
    }
    rules
}

/// Every targeting of up to two rules, on and off, with either off variant; and those of three rules that are on, of which the
/// first is for the first group.
fn every_targeting() -> Vec<Targeting> {
    let rules = rules();
    let pairs = rules.iter().flat_map(|first| rules.iter().map(|second| vec![first.clone(), second.clone()]));
    let lists: Vec<Vec<Rule>> =
        [Vec::new()].into_iter().chain(rules.iter().map(|rule| vec![rule.clone()])).chain(pairs).collect();
    let mut targetings = Vec::new();
    for rules in &lists {
        for (enabled, off) in [(true, "off"), (true, "on"), (false, "off"), (false, "on")] {
            targetings.push(Targeting { enabled, off_variant: key(off), rules: rules.clone() });
        }
    }
    let first_group = &rule_audiences()[1];
    for rules in lists.iter().filter(|list| list.len() == 2) {
        for first in self::rules().into_iter().filter(|rule| rule.audience == *first_group) {
            let rules = [first].into_iter().chain(rules.iter().cloned()).collect();
            targetings.push(Targeting { enabled: true, off_variant: key("off"), rules });
        }
    }
    targetings
}

/// The users by group: neither, the first, the second, both. Each group has the same ids.
fn users() -> Vec<Vec<User>> {
    let groups: [&[&str]; 4] = [&[], &["a"], &["b"], &["a", "b"]];
    let user = |number: usize, groups: &[&str]| User {
        id: format!("user-{number}"),
        attributes: groups
            .iter()
            .map(|group| ((*group).to_owned(), AttributeValue::One(Value::Boolean(true))))
            .collect(),
    };
    groups.iter().map(|groups| (0..USERS_PER_GROUP).map(|number| user(number, groups)).collect()).collect()
}

/// The variant that the user gets of these splits.
fn of_splits<'a>(splits: &'a [Split], user: &User) -> &'a Key {
    let position = bucket::position(SALT, FEATURE, &user.id);
    let mut end = 0;
    let split = splits.iter().find(|split| {
        end += split.percentage.thousandths();
        position < end
    });
    &split.unwrap().variant
}

#[test]
fn the_fields_say_what_users_get_of_every_small_targeting() {
    let (users, audiences) = (users(), audiences());
    let mut seen = [0; 3];
    for targeting in every_targeting() {
        let served = ServedSummary::of(&targeting, &audiences);
        let compiled = CompiledFeature::compile(&key(FEATURE), SALT, &targeting, &audiences);
        let variants: Vec<Vec<&Key>> =
            users.iter().map(|group| group.iter().map(|user| compiled.variant(user, Instant(0))).collect()).collect();

        let only_off = variants.iter().flatten().all(|variant| **variant == targeting.off_variant);
        assert_eq!(served.only_off_variant, only_off, "{served:?} of {targeting:?}");
        let differs = variants.iter().any(|group| *group != variants[0]);
        assert_eq!(served.conditional_rules > 0, differs, "{served:?} of {targeting:?}");
        let others: Vec<_> = users[0].iter().map(|user| of_splits(&served.splits, user)).collect();
        assert_eq!(others, variants[0], "{served:?} of {targeting:?}");

        // The words agree with the fields.
        assert_eq!(served.summary == format!("serves {}", targeting.off_variant), only_off, "{served:?}");
        assert_eq!(served.summary.contains(" for "), differs, "{served:?}");
        seen[usize::from(!only_off) + usize::from(differs)] += 1;
    }
    assert!(seen.iter().all(|count| *count > 100), "only off, the same for everyone, by rules: {seen:?}");
}

/// A rule for everyone, or for the users of a group.
fn rule(group: Option<&str>, shares: &[(&str, f64)]) -> Rule {
    let conditions = group.map(|group| from_value(of_group(group)).unwrap()).into_iter().collect();
    Rule { name: String::new(), audience: RuleAudience::Inline(conditions), splits: splits(shares) }
}

fn summary(enabled: bool, off: &str, rules: Vec<Rule>) -> String {
    ServedSummary::of(&Targeting { enabled, off_variant: key(off), rules }, &audiences()).summary
}

#[test]
fn what_everyone_gets_is_said_with_percentages() {
    let all = |shares: &[(&str, f64)]| vec![rule(None, shares)];
    for (enabled, off, rules, expected) in [
        (false, "off", vec![], "serves off"),
        (false, "off", all(&[("on", 100.0)]), "serves off"),
        (false, "teal", vec![], "serves teal"),
        (true, "off", vec![], "serves off"),
        (true, "off", all(&[("off", 100.0)]), "serves off"),
        (true, "on", all(&[("on", 100.0)]), "serves on"),
        (true, "off", all(&[("on", 100.0)]), "on 100%"),
        (true, "on", all(&[("off", 100.0)]), "off 100%"),
        (true, "off", all(&[("on", 25.0), ("off", 75.0)]), "on 25%"),
        (true, "off", all(&[("off", 66.667), ("on", 33.333)]), "on 33.333%"),
        (true, "off", all(&[("teal", 50.0), ("amber", 0.0), ("plum", 50.0)]), "teal 50%, plum 50%"),
        (true, "off", all(&[("a", 10.0), ("b", 20.0), ("c", 30.0), ("off", 40.0)]), "a 10%, b 20%, c 30%"),
        (true, "off", all(&[("a", 10.0), ("b", 20.0), ("c", 30.0), ("d", 40.0)]), "a 10%, b 20%, c 30% and 1 more"),
    ] {
        assert_eq!(summary(enabled, off, rules.clone()), expected, "{enabled} {off} {rules:?}");
    }
}

#[test]
fn what_the_users_of_rules_get_is_said_with_the_number_of_rules() {
    let on: &[(&str, f64)] = &[("on", 100.0)];
    let off: &[(&str, f64)] = &[("off", 100.0)];
    let half: &[(&str, f64)] = &[("on", 50.0), ("off", 50.0)];
    let colours: &[(&str, f64)] = &[("a", 25.0), ("b", 25.0), ("c", 25.0), ("d", 25.0)];
    for (rules, expected) in [
        (vec![rule(Some("a"), on)], "on for 1 rule"),
        (vec![rule(Some("a"), half)], "on 50% for 1 rule"),
        (vec![rule(Some("a"), on), rule(Some("b"), on)], "on for 2 rules"),
        (vec![rule(Some("a"), on), rule(Some("b"), half)], "on for 2 rules"),
        (vec![rule(Some("a"), on), rule(Some("b"), colours)], "on, a, b and 2 more for 2 rules"),
        (vec![rule(Some("a"), off), rule(Some("b"), on)], "on for 1 rule"),
        (vec![rule(Some("a"), on), rule(None, half)], "on for 1 rule, else on 50%"),
        (vec![rule(Some("a"), off), rule(None, on)], "off for 1 rule, else on 100%"),
        (
            vec![rule(Some("a"), off), rule(Some("b"), half), rule(None, on)],
            "on 50% for 1 rule, off for 1 rule, else on 100%",
        ),
        // Rules that make no difference.
        (vec![rule(Some("a"), off)], "serves off"),
        (vec![rule(Some("a"), on), rule(Some("a"), half)], "on for 1 rule"),
        (vec![rule(Some("a"), on), rule(None, on)], "on 100%"),
        (vec![rule(None, half), rule(Some("a"), on)], "on 50%"),
    ] {
        assert_eq!(summary(true, "off", rules.clone()), expected, "{rules:?}");
    }
}

#[test]
fn an_archived_feature_is_not_served() {
    let nothing = json!({ "summary": "not served", "onlyOffVariant": false, "conditionalRules": 0, "splits": [] });
    assert_eq!(serde_json::to_value(ServedSummary::nothing()).unwrap(), nothing);
}
