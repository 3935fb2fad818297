//! The numbered cases of `tests/conformance`, run natively. The answers are saved, because other runtimes must give the same
//! bytes.
#![expect(clippy::indexing_slicing, reason = "a case of another shape should fail the test")]

use flagservice_rules::{
    CompiledRuleset, Condition, CopySettings, FeatureEvaluation, Instant, Key, Ruleset, RulesetAudience, Side,
    Targeting, User, Violation, compare, copy, validate, validate_conditions,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::{fs, iter};

type Outcome<T> = Result<T, Box<dyn Error>>;

const COLLECTIONS: [&str; 5] = ["conditions", "splits", "evaluation", "buckets", "invalid"];

/// A runtime's answer to a case.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    evaluations: Vec<FeatureEvaluation<'a>>,
    next_turn: Option<Instant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invalid: Option<Vec<Violation>>,
}

fn cases(collection: &str) -> Outcome<Vec<Value>> {
    // Cargo runs tests in the folder of their crate.
    let file = format!("../../tests/conformance/{collection}.json");
    let mut document: Value = serde_json::from_slice(&fs::read(file)?)?;
    Ok(serde_json::from_value(document["cases"].take())?)
}

/// The rules that a case evaluates.
fn ruleset(collection: &str, case: &Value) -> Value {
    let one_rule = |rule: Value| json!({"enabled": true, "offVariantKey": "off", "rules": [rule]});
    let feature = |key: &Value, salt: &Value, targeting: Value| {
        let mut feature = json!({"key": key, "targeting": targeting});
        if salt.is_string() {
            feature["salt"] = salt.clone();
        }
        json!({"features": [feature], "audiences": case.get("audiences").cloned().unwrap_or(json!([]))})
    };
    let everyone_on = json!([{"variantKey": "on", "percentage": 100}]);
    let halves = json!([{"variantKey": "on", "percentage": 50}, {"variantKey": "off", "percentage": 50}]);
    let with_conditions = |conditions: Value| {
        feature(&json!("feature"), &Value::Null, one_rule(json!({"conditions": conditions, "splits": everyone_on})))
    };
    match collection {
        "conditions" => with_conditions(json!([case["condition"]])),
        "splits" => feature(&json!("f1"), &Value::Null, one_rule(json!({"splits": case["splits"]}))),
        "buckets" => feature(&case["feature"], &case["salt"], one_rule(json!({"splits": halves}))),
        "invalid" if case["conditions"].is_array() => with_conditions(case["conditions"].clone()),
        "invalid" => feature(&json!("feature"), &Value::Null, case["targeting"].clone()),
        _ => case["ruleset"].clone(),
    }
}

fn user(case: &Value) -> Value {
    if case["user"].is_string() { json!({"id": case["user"]}) } else { case["user"].clone() }
}

fn violations(case: &Value, ruleset: &Ruleset) -> Outcome<Vec<Violation>> {
    if case["conditions"].is_array() {
        let conditions: Vec<Condition> = serde_json::from_value(case["conditions"].clone())?;
        return Ok(validate_conditions(&conditions));
    }
    let targeting: Targeting = serde_json::from_value(case["targeting"].clone())?;
    let variants: Vec<Key> = serde_json::from_value(case["variants"].clone())?;
    let audiences: BTreeMap<_, _> =
        ruleset.audiences.iter().cloned().map(|audience| (audience.key, audience.conditions)).collect();
    Ok(validate(&targeting, &variants, &audiences))
}

fn answer(collection: &str, case: &Value) -> Outcome<String> {
    let ruleset: Ruleset = serde_json::from_value(ruleset(collection, case))?;
    let user: User = serde_json::from_value(user(case))?;
    let now = Instant(case["now"].as_i64().unwrap_or(0));
    let compiled = CompiledRuleset::compile(&ruleset);
    let answer = Answer {
        evaluations: compiled.evaluate(&user, now).collect(),
        next_turn: compiled.next_turn(now),
        invalid: if collection == "invalid" { Some(violations(case, &ruleset)?) } else { None },
    };
    Ok(serde_json::to_string(&answer)?)
}

/// How the answer differs from what the case expects.
fn differences(collection: &str, case: &Value, answer: &Value) -> Vec<String> {
    let evaluation = &answer["evaluations"][0];
    let reason = &evaluation["reason"];
    let expect = |what: &str, actual: &Value, expected: Value| {
        // A case without an expected value is a mistake; only the next turn may be null.
        let missing = expected.is_null() && what != "next turn";
        (missing || *actual != expected).then(|| format!("{what} is {actual}, expected {expected}"))
    };
    let differences = match collection {
        "conditions" => {
            let (variant, kind) = if case["matches"] == true { ("on", "rule") } else { ("off", "noRuleMatched") };
            vec![
                expect("variant", &evaluation["variant"], json!(variant)),
                expect("reason", &reason["kind"], json!(kind)),
            ]
        }
        "splits" => vec![
            expect("variant", &evaluation["variant"], case["variant"].clone()),
            expect("position", &reason["position"], case["position"].clone()),
        ],
        "buckets" => vec![
            expect("position", &reason["position"], case["position"].clone()),
            expect(
                "whole percent",
                &json!(reason["position"].as_u64().map(|position| position / 1000 + 1)),
                case["wholePercent"].clone(),
            ),
        ],
        "invalid" => {
            let actual = answer["invalid"].as_array().into_iter().flatten();
            let expected = case["invalid"].as_array().into_iter().flatten();
            let pointers: Value = actual.clone().map(|violation| violation["pointer"].clone()).collect();
            let expected_pointers: Value = expected.clone().map(|violation| violation["pointer"].clone()).collect();
            let details = actual.zip(expected).map(|(actual, expected)| {
                let (detail, says) = (actual["detail"].as_str()?, expected["says"].as_str()?);
                (!detail.contains(says)).then(|| format!("\"{detail}\" does not contain \"{says}\""))
            });
            iter::once(expect("variant", &evaluation["variant"], case["variant"].clone()))
                .chain(iter::once(expect("pointers", &pointers, expected_pointers)))
                .chain(details)
                .collect()
        }
        _ => vec![
            expect("evaluations", &answer["evaluations"], case["evaluations"].clone()),
            expect("next turn", &answer["nextTurn"], case["nextTurn"].clone()),
        ],
    };
    differences.into_iter().flatten().collect()
}

#[test]
fn every_case_gives_the_expected_answer() -> Outcome<()> {
    let mut failures = Vec::new();
    for collection in COLLECTIONS {
        for (case, number) in cases(collection)?.iter().zip(1..) {
            assert_eq!(case["number"], number, "{collection}.json numbers its cases from 1");
            let answer = serde_json::from_str(&answer(collection, case)?)?;
            for difference in differences(collection, case, &answer) {
                failures.push(format!("{collection}/{number} {}: {difference}", case["description"]));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

#[test]
fn answers_are_saved_for_other_runtimes() -> Outcome<()> {
    let mut answers = BTreeMap::new();
    for collection in COLLECTIONS {
        for case in cases(collection)? {
            answers.insert(format!("{collection}/{}", case["number"]), answer(collection, &case)?);
        }
    }
    // The target folder can be configured; cargo tells tests only the folder `tmp` inside it.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../conformance");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("native.json"), serde_json::to_string_pretty(&answers)?)?;
    Ok(())
}

/// One environment of a case of `compare.json` or `copy.json`.
#[derive(Deserialize)]
struct Environment {
    targeting: Targeting,
    #[serde(default)]
    audiences: Vec<RulesetAudience>,
}

/// Both environments of a case, with the audiences by key.
struct Pair([(Targeting, BTreeMap<Key, Vec<Condition>>); 2]);

impl Pair {
    fn from_case(case: &Value) -> Outcome<Self> {
        let side = |name: &str| -> Outcome<_> {
            let Environment { targeting, audiences } = serde_json::from_value(case[name].clone())?;
            Ok((targeting, audiences.into_iter().map(|audience| (audience.key, audience.conditions)).collect()))
        };
        Ok(Self([side("source")?, side("target")?]))
    }

    fn sides(&self) -> [Side<'_>; 2] {
        self.0.each_ref().map(|(targeting, audiences)| Side { targeting, audiences })
    }
}

/// The result of a copy, as in `copy.json`.
fn copied([source, target]: [Side<'_>; 2], settings: CopySettings) -> Value {
    match copy(source, target, settings) {
        Ok(copied) => json!({"targeting": copied.targeting, "inlined": copied.inlined}),
        Err(unknown) => json!({"unknownAudience": unknown.0}),
    }
}

#[test]
fn every_pair_of_environments_differs_as_expected_in_both_directions() -> Outcome<()> {
    let mut failures = Vec::new();
    for (case, number) in cases("compare")?.iter().zip(1..) {
        assert_eq!(case["number"], number, "compare.json numbers its cases from 1");
        let pair = Pair::from_case(case)?;
        let [source, target] = pair.sides();
        for (direction, actual) in [("", compare(source, target)), (", swapped", compare(target, source))] {
            if json!(actual) != case["differences"] {
                failures.push(format!("compare/{number} {}{direction}: {}", case["description"], json!(actual)));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

#[test]
fn every_copy_gives_the_expected_targeting() -> Outcome<()> {
    let mut failures = Vec::new();
    for (case, number) in cases("copy")?.iter().zip(1..) {
        assert_eq!(case["number"], number, "copy.json numbers its cases from 1");
        let actual = copied(Pair::from_case(case)?.sides(), serde_json::from_value(case["settings"].clone())?);
        let expected = match case.get("unknownAudience") {
            Some(unknown) => json!({"unknownAudience": unknown}),
            // A round trip, because a rule for everyone is always serialised with an empty list of conditions.
            None => json!({
                "targeting": serde_json::from_value::<Targeting>(case["targeting"].clone())?,
                "inlined": case["inlined"],
            }),
        };
        if actual != expected {
            failures.push(format!("copy/{number} {}: {actual}, expected {expected}", case["description"]));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}
