//! Properties of splits: users keep a variant when the first split, or either of two, is raised.

use crate::arbitrary::{key, rule, splits, targeting, user_without_attributes};
use flagservice_rules::{CompiledFeature, Condition, Instant, Key, User};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn variant(shares: &[u32], user: &User) -> Key {
    let targeting = targeting(vec![rule(vec![], splits(shares))]);
    let audiences = BTreeMap::<Key, Vec<Condition>>::new();
    CompiledFeature::compile(&key("checkout"), "1", &targeting, &audiences).variant(user, Instant(0)).clone()
}

/// Two shares in thousandths of a percent, the smaller one first.
fn raised_share() -> impl Strategy<Value = (u32, u32)> {
    (0..=100_000_u32, 0..=100_000_u32).prop_map(|(a, b)| (a.min(b), a.max(b)))
}

proptest! {
    #[test]
    fn raising_the_first_split_keeps_its_users(
        (before, after) in raised_share(),
        proportions in (0..=1000_u32, 0..=1000_u32),
        user in user_without_attributes(),
    ) {
        // Two other variants share the remainder, in proportions that also change.
        let shares = |first: u32, proportion: u32| {
            let remainder = 100_000 - first;
            let second = u32::try_from(u64::from(remainder) * u64::from(proportion) / 1000).unwrap();
            [first, second, remainder - second]
        };
        if variant(&shares(before, proportions.0), &user) == key("v0") {
            prop_assert_eq!(variant(&shares(after, proportions.1), &user), key("v0"));
        }
    }

    #[test]
    fn raising_the_second_of_two_splits_keeps_its_users(
        (before, after) in raised_share(),
        user in user_without_attributes(),
    ) {
        if variant(&[100_000 - before, before], &user) == key("v1") {
            prop_assert_eq!(variant(&[100_000 - after, after], &user), key("v1"));
        }
    }

    #[test]
    fn users_never_get_a_variant_with_an_empty_split(cut in 0..=100_000_u32, user in user_without_attributes()) {
        let variant = variant(&[cut, 0, 100_000 - cut], &user);
        let empty = [(cut, "v0"), (0, "v1"), (100_000 - cut, "v2")];
        prop_assert!(empty.iter().all(|(share, name)| *share > 0 || variant != key(name)), "{}", variant);
    }
}

#[test]
fn ten_thousand_users_are_distributed_according_to_the_splits() {
    let users = (0..10_000).map(|number| User { id: format!("user-{number}"), ..User::default() });
    let on = users.filter(|user| variant(&[30_000, 70_000], user) == key("v0")).count();
    // Expected: 3,000, within five standard deviations of 46.
    assert!((2_770..=3_230).contains(&on), "{on} of 10,000 users are in a split of 30%");
}
