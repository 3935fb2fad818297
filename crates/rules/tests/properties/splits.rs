//! Raising the first split, or either of two, never takes a user away from that variant.

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
fn raised() -> impl Strategy<Value = (u32, u32)> {
    (0..=100_000_u32, 0..=100_000_u32).prop_map(|(a, b)| (a.min(b), a.max(b)))
}

proptest! {
    #[test]
    fn raising_the_first_split_keeps_its_users(
        (before, after) in raised(),
        cuts in (0..=1000_u32, 0..=1000_u32),
        user in user_without_attributes(),
    ) {
        // What is left goes to two others, in proportions that change as well.
        let shares = |first: u32, cut: u32| {
            let rest = 100_000 - first;
            let second = u32::try_from(u64::from(rest) * u64::from(cut) / 1000).unwrap();
            [first, second, rest - second]
        };
        if variant(&shares(before, cuts.0), &user) == key("v0") {
            prop_assert_eq!(variant(&shares(after, cuts.1), &user), key("v0"));
        }
    }

    #[test]
    fn raising_the_second_of_two_splits_keeps_its_users(
        (before, after) in raised(),
        user in user_without_attributes(),
    ) {
        if variant(&[100_000 - before, before], &user) == key("v1") {
            prop_assert_eq!(variant(&[100_000 - after, after], &user), key("v1"));
        }
    }

    #[test]
    fn a_user_gets_a_variant_whose_split_is_not_empty(cut in 0..=100_000_u32, user in user_without_attributes()) {
        let variant = variant(&[cut, 0, 100_000 - cut], &user);
        let empty = [(cut, "v0"), (0, "v1"), (100_000 - cut, "v2")];
        prop_assert!(empty.iter().all(|(share, name)| *share > 0 || variant != key(name)), "{}", variant);
    }
}

#[test]
fn ten_thousand_users_are_spread_as_the_splits_say() {
    let users = (0..10_000).map(|number| User { id: format!("user-{number}"), ..User::default() });
    let on = users.filter(|user| variant(&[30_000, 70_000], user) == key("v0")).count();
    // 3,000 expected, standard deviation 46: five of them.
    assert!((2_770..=3_230).contains(&on), "{on} of 10,000 users are in a split of 30 percent");
}
