//! Rules and users as JSON.

use flagservice_rules::{AttributeValue, Condition, Operator, Percentage, Rule, Split, Targeting, User, Value};
use serde_json::{from_str, json, to_string};

fn read_error<T: serde::de::DeserializeOwned>(json: &str) -> String {
    match from_str::<T>(json) {
        Ok(_) => format!("{json} was accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn targeting_is_serialised_as_it_was_read() {
    let written = json!({
        "enabled": true,
        "offVariantKey": "off",
        "rules": [
            {"name": "beta", "audienceKey": "beta", "splits": [{"variantKey": "on", "percentage": 100}]},
            {
                "name": "",
                "conditions": [{"attribute": "age", "operator": "in", "values": [18, "x", true, 0.5, -3]}],
                "splits": [{"variantKey": "on", "percentage": 33.333}, {"variantKey": "off", "percentage": 66.667}]
            },
            {"name": "rest", "conditions": [], "splits": []}
        ]
    });
    let targeting: Targeting = serde_json::from_value(written.clone()).unwrap();
    assert_eq!(serde_json::to_value(&targeting).unwrap(), written);
    assert!(to_string(&targeting).unwrap().contains(r#""values":[18,"x",true,0.5,-3]"#));
}

#[test]
fn an_administrative_write_rejects_unknown_fields() {
    let targeting = r#"{"enabled": true, "offVariantKey": "off", "rules": [], "extra": 1}"#;
    assert!(
        read_error::<Targeting>(targeting).contains("unknown field `extra`"),
        "{}",
        read_error::<Targeting>(targeting)
    );
    assert!(read_error::<Rule>(r#"{"splits": [], "extra": 1}"#).contains("unknown field `extra`"));
    let condition = r#"{"attribute": "a", "operator": "in", "values": [], "extra": 1}"#;
    assert!(read_error::<Condition>(condition).contains("unknown field `extra`"));
    let split = r#"{"variantKey": "on", "percentage": 1, "extra": 1}"#;
    assert!(read_error::<Split>(split).contains("unknown field `extra`"));
}

#[test]
fn a_rule_has_an_audience_or_conditions_not_both() {
    let both = r#"{"audienceKey": "beta", "conditions": [], "splits": []}"#;
    assert!(read_error::<Rule>(both).contains("either `audienceKey` or `conditions`, not both"));
}

#[test]
fn a_percentage_has_at_most_three_decimals() {
    for (json, thousandths) in [
        ("0", 0),
        ("50", 50_000),
        ("33.333", 33_333),
        ("0.001", 1),
        ("99.999", 99_999),
        ("100.0", 100_000),
        ("1e1", 10_000),
    ] {
        let percentage: Percentage = from_str(json).unwrap();
        assert_eq!(percentage.thousandths(), thousandths, "{json}");
    }
    for json in
        ["33.3333", "-1", "-0.001", "100.001", "101", "18446744073709551615", "0.0005", "1e300", "\"50\"", "null"]
    {
        let message = read_error::<Percentage>(json);
        assert!(message.contains("a number from 0 to 100 with at most 3 decimals"), "{json}: {message}");
    }
}

#[test]
fn every_percentage_round_trips_as_the_shortest_number() {
    for thousandths in 0..=100_000 {
        let percentage = Percentage::from_thousandths(thousandths).unwrap();
        let written = to_string(&percentage).unwrap();
        assert_eq!(from_str::<Percentage>(&written).unwrap(), percentage);
        assert_eq!(written, percentage.to_string());
    }
    assert_eq!(to_string(&Percentage::from_thousandths(33_300).unwrap()).unwrap(), "33.3");
}

#[test]
fn the_thirteen_operators_have_these_names() {
    let names = [
        "equals",
        "contains",
        "startsWith",
        "endsWith",
        "matches",
        "in",
        "notIn",
        "before",
        "after",
        "greaterThan",
        "greaterThanOrEqual",
        "lessThan",
        "lessThanOrEqual",
    ];
    assert_eq!(Operator::ALL.map(String::from), names);
    for name in names {
        let operator: Operator = serde_json::from_value(json!(name)).unwrap();
        assert!(Operator::ALL.contains(&operator), "{name}");
    }
}

#[test]
fn an_unknown_operator_survives_a_round_trip() {
    let written = r#"{"attribute":"a","operator":"near","values":["SE"]}"#;
    let condition: Condition = from_str(written).unwrap();
    assert_eq!(to_string(&condition).unwrap(), written);
}

#[test]
fn unsupported_attribute_values_of_a_user_are_dropped() {
    let user: User = from_str(
        r#"{"id": "alice", "name": "Alice", "attributes": {
            "text": "a", "number": 1.5, "flag": false, "list": ["a", 2, null, {"b": 1}, ["c"], true],
            "none": null, "object": {"a": {"b": [1]}}, "twice": 1, "twice": 2
        }}"#,
    )
    .unwrap();
    let one = |value| AttributeValue::One(value);
    let list = vec![Value::Text("a".to_owned()), Value::Number(2.0), Value::Boolean(true)];
    let expected = [
        ("flag", one(Value::Boolean(false))),
        ("list", AttributeValue::Many(list)),
        ("number", one(Value::Number(1.5))),
        ("text", one(Value::Text("a".to_owned()))),
        ("twice", one(Value::Number(2.0))),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value)).into();
    assert_eq!(user, User { id: "alice".to_owned(), attributes: expected });
    assert_eq!(from_str::<User>(&to_string(&user).unwrap()).unwrap(), user);
}

#[test]
fn a_user_needs_an_id_and_an_object_of_attributes() {
    assert!(read_error::<User>(r#"{"attributes": {}}"#).contains("missing field `id`"));
    assert!(read_error::<User>(r#"{"id": 7}"#).contains("invalid type"));
    let message = read_error::<User>(r#"{"id": "a", "attributes": "x"}"#);
    assert!(
        message.contains("`attributes`, an object whose values are strings, numbers, booleans or lists"),
        "{message}"
    );
}
