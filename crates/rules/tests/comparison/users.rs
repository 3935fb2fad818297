//! Generated users and times that often match the generated conditions.

use crate::environment::Environment;
use crate::random::Random;
use flagservice_rules::{AttributeValue, Instant, User, Value};

const TEXTS: [&str; 7] = ["SE", "NO", "se", "", "pro", "Sweden", "18"];
const NUMBERS: [f64; 7] = [0.0, 9.0, 17.0, 18.0, 18.25, 19.0, -3.0];
const DATES: [&str; 4] = ["2026-11-19", "2026-11-21", "2026-11-21T07:00:00.001Z", "2027-01-01"];

/// 2026-11-20T00:00:00Z. The dates of the conditions lie in the following three days.
const START: i64 = 1_795_132_800_000;
const HOUR_MS: i64 = 3_600_000;

/// A random user.
pub(crate) fn user(random: &mut Random) -> User {
    let mut user = User { id: format!("user-{}", random.below(100_000)), ..User::default() };
    if random.chance(10) {
        user.id = "user-1".to_owned();
    }
    for name in ["country", "plan", "age", "beta", "signedUp"] {
        if random.chance(85) {
            let value = match (random.chance(5), random.chance(10)) {
                (true, _) => AttributeValue::One(Value::Text(random.pick(&TEXTS).to_owned())),
                (false, true) => AttributeValue::Many(random.several(0, 3, |random| value(name, random))),
                (false, false) => AttributeValue::One(value(name, random)),
            };
            user.attributes.insert(name.to_owned(), value);
        }
    }
    user
}

fn value(name: &str, random: &mut Random) -> Value {
    match name {
        "age" => Value::Number(random.pick(&NUMBERS)),
        "beta" => Value::Boolean(random.chance(50)),
        "signedUp" => Value::Text(random.pick(&DATES).to_owned()),
        _ => Value::Text(random.pick(&TEXTS).to_owned()),
    }
}

/// A time within four days, often at the boundary of a date or an hour.
pub(crate) fn instant(random: &mut Random) -> Instant {
    let hour = START + HOUR_MS * random.below(96) as i64;
    Instant(hour + random.pick(&[-1, 0, 1, HOUR_MS / 2, HOUR_MS / 2 + 500]))
}

/// Searches `count` random users for one who gets different variants on the two sides.
pub(crate) fn find_difference(
    (source, target): (&Environment, &Environment),
    count: usize,
    random: &mut Random,
) -> Option<(User, Instant)> {
    let (source, target) = (source.compiled(), target.compiled());
    (0..count)
        .map(|_| (user(random), instant(random)))
        .find(|(user, now)| source.variant(user, *now) != target.variant(user, *now))
}
