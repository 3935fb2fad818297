//! Reads JSON and query parameters that callers send. Errors name the place and the remedy in plain English, never the parser's
//! words or types of this program.

mod parameters;
mod refusal;
mod strict;

use flagservice_rules::Violation;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::app::json::refusal::Refusal;
use crate::app::json::strict::Strict;
use crate::app::pointer;
pub use parameters::parse_query;

/// How deeply serde_json reads nested values.
const MAX_DEPTH: usize = 128;

/// Why a text could not be read.
#[derive(Debug)]
pub enum Unreadable {
    /// It is not JSON; a sentence that says what to check.
    Malformed(String),
    /// A value is missing, unknown, or of another type.
    Invalid(Violation),
}

/// Reads a text. Where a structure is expected, only an object is accepted: serde also reads structures from lists.
///
/// # Errors
/// The first place that cannot be read.
pub fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, Unreadable> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let value = serde_path_to_error::deserialize(Strict(&mut json)).map_err(|error| {
        let pointer = pointer::of(error.path());
        let refusal = error.into_inner();
        let detail = match &refusal {
            Refusal::Inner(inner) if inner.classify() != Category::Data => return malformed(inner),
            Refusal::Inner(inner) => without_position(inner),
            Refusal::Type { .. } | Refusal::Because(_) => refusal.to_string(),
        };
        Unreadable::Invalid(Violation { pointer, detail })
    })?;
    json.end().map_err(|error| malformed(&error))?;
    Ok(value)
}

/// serde_json appends the line and the column to the texts of others.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&position).unwrap_or(&text).to_owned()
}

fn malformed(error: &serde_json::Error) -> Unreadable {
    let is_too_deep = error.to_string().starts_with("recursion limit exceeded");
    Unreadable::Malformed(match error.classify() {
        Category::Eof => "The body is empty or ends in the middle of its JSON. Send all of it.".to_owned(),
        _ if is_too_deep => format!("The body has more than {MAX_DEPTH} levels of lists and objects. Send fewer."),
        Category::Io | Category::Syntax | Category::Data => {
            "The body is not valid JSON. Check its quotes, commas, brackets and numbers, and send it as UTF-8."
                .to_owned()
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};

    use flagservice_rules::Targeting;
    use serde::Deserialize;
    use serde_json::Value;

    use super::{Unreadable, parse};
    use crate::domain::role::Role;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Body {
        name: String,
        #[serde(default)]
        max_count: Option<u64>,
        #[serde(default)]
        inner: Option<Inner>,
        #[serde(default)]
        list: Vec<Inner>,
        #[serde(default)]
        by_name: BTreeMap<String, Inner>,
        #[serde(default)]
        versions: HashMap<String, u64>,
        #[serde(default)]
        role: Option<Role>,
        #[serde(default)]
        targeting: Option<Targeting>,
    }

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(default)]
    struct Inner {
        on: bool,
    }

    fn violation(text: &str) -> (String, String) {
        match parse::<Body>(text.as_bytes()) {
            Err(Unreadable::Invalid(violation)) => (violation.pointer, violation.detail),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn what_serde_reads_is_read_the_same() {
        let text = r#"{ "name": "a", "maxCount": 7, "inner": { "on": true, "more": [] }, "list": [{}, { "on": true }],
            "byName": { "x": { "on": true } }, "versions": { "y": 1 }, "role": "editor",
            "targeting": { "enabled": true, "offVariantKey": "off", "rules": [{ "splits": [
                { "variantKey": "on", "percentage": 33.333 }], "conditions": [
                { "attribute": "a", "operator": "in", "values": ["x", 1, true] }] }] } }"#;
        let strict: Body = parse(text.as_bytes()).unwrap();
        let plain: Body = serde_json::from_str(text).unwrap();
        assert_eq!(strict, plain);
    }

    #[test]
    fn a_list_in_place_of_an_object_is_refused_at_every_depth() {
        for (text, pointer) in [
            (r#"["a"]"#, ""),
            ("[]", ""),
            (r#"{ "name": "a", "inner": [true] }"#, "/inner"),
            (r#"{ "name": "a", "inner": [] }"#, "/inner"),
            (r#"{ "name": "a", "list": [{}, [true]] }"#, "/list/1"),
            (r#"{ "name": "a", "byName": { "x": [true] } }"#, "/byName/x"),
            (r#"{ "name": "a", "byName": [] }"#, "/byName"),
            (r#"{ "name": "a", "targeting": [true, "off", []] }"#, "/targeting"),
            (
                r#"{ "name": "a", "targeting": { "enabled": true, "offVariantKey": "off", "rules": [["a"]] } }"#,
                "/targeting/rules/0",
            ),
        ] {
            assert_eq!(violation(text), (pointer.to_owned(), "send an object, not a list".to_owned()), "{text}");
        }
    }

    #[test]
    fn errors_say_what_to_send() {
        for (text, pointer, detail) in [
            (r#"{}"#, "", "the field `name` is missing: add it"),
            (r#"{ "name": 7 }"#, "/name", "send a string, not the number 7"),
            (r#"{ "name": null }"#, "/name", "send a string, not null"),
            (r#"{ "name": "a", "name": "b" }"#, "", "the field `name` is given twice: remove one"),
            (r#"{ "name": "a", "maxCount": -1 }"#, "/maxCount", "send a whole number from 0 on, not the number -1"),
            (r#"{ "name": "a", "maxCount": "1" }"#, "/maxCount", "send a whole number from 0 on, not a string"),
            (r#"{ "name": "a", "inner": "x" }"#, "/inner", "send an object, not a string"),
            (r#"{ "name": "a", "inner": { "on": 1 } }"#, "/inner/on", "send true or false, not the number 1"),
            (r#"{ "name": "a", "list": {} }"#, "/list", "send a list, not an object"),
            (
                r#"{ "name": "a", "role": {} }"#,
                "/role",
                "send one of `readOnly`, `editor`, `productionEditor`, `administrator`, not an object",
            ),
            (
                r#"{ "name": "a", "role": "king" }"#,
                "/role",
                "`king` is none of `readOnly`, `editor`, `productionEditor`, `administrator`",
            ),
        ] {
            assert_eq!(violation(text), (pointer.to_owned(), detail.to_owned()), "{text}");
        }
        let (pointer, detail) = violation(r#"{ "name": "a", "colour at line 1 column 9": 1 }"#);
        assert!(pointer.starts_with("/colour"));
        assert!(detail.contains("there is no field `colour") && detail.contains("`maxCount`"), "{detail}");
    }

    #[test]
    fn a_text_that_is_not_json_is_malformed() {
        for text in ["", "{", r#"{ "name": "a" "#, r#"{ "name": "a" } {}"#, "name=a", r#"{ "name": 01 }"#] {
            let Err(Unreadable::Malformed(detail)) = parse::<Body>(text.as_bytes()) else { panic!("{text}") };
            assert!(!detail.contains("line 1"), "{detail}");
        }
        let deep = "[".repeat(200);
        let Err(Unreadable::Malformed(detail)) = parse::<Value>(deep.as_bytes()) else { panic!("{deep}") };
        assert!(detail.contains("128 levels"), "{detail}");
    }
}
