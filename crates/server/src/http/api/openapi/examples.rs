//! The examples of the schemas: `../examples` has a file for each resource, with one example for each schema's name. Those of an
//! organisation and its people are in `organisation/`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

/// How the name of a list's schema begins; the name of its items' schema follows.
const LIST_PREFIX: &str = "List_";

const FILES: [&str; 22] = [
    include_str!("../examples/approvals.json"),
    include_str!("../examples/audiences.json"),
    include_str!("../examples/compare.json"),
    include_str!("../examples/copy.json"),
    include_str!("../examples/edge_keys.json"),
    include_str!("../examples/environments.json"),
    include_str!("../examples/experiments.json"),
    include_str!("../examples/features.json"),
    include_str!("../examples/goals.json"),
    include_str!("../examples/insights.json"),
    include_str!("../examples/pipelines.json"),
    include_str!("../examples/preview.json"),
    include_str!("../examples/problem.json"),
    include_str!("../examples/projects.json"),
    include_str!("../examples/sdk_keys.json"),
    include_str!("../examples/targeting.json"),
    include_str!("../examples/organisation/access_tokens.json"),
    include_str!("../examples/organisation/audit_log.json"),
    include_str!("../examples/organisation/integrations.json"),
    include_str!("../examples/organisation/organisation.json"),
    include_str!("../examples/organisation/preferences.json"),
    include_str!("../examples/organisation/users.json"),
];

/// Adds the examples to the schemas, and to each list the example of its items.
pub(super) fn add_examples(schemas: &mut BTreeMap<String, RefOr<Schema>>) {
    for file in FILES {
        // A file that cannot be parsed leaves the committed document without its examples, which a test notices.
        let examples: Map<String, Value> = serde_json::from_str(file).unwrap_or_default();
        for (name, example) in examples {
            if let Some(list) = schemas.get_mut(&format!("{LIST_PREFIX}{name}")) {
                set_example(list, json!({ "items": [&example], "nextCursor": "c2hvcA" }));
            }
            if let Some(schema) = schemas.get_mut(&name) {
                set_example(schema, example);
            }
        }
    }
}

fn set_example(schema: &mut RefOr<Schema>, example: Value) {
    match schema {
        RefOr::T(Schema::Object(schema)) => schema.example = Some(example),
        RefOr::T(Schema::OneOf(schema)) => schema.example = Some(example),
        RefOr::T(Schema::AllOf(schema)) => schema.example = Some(example),
        RefOr::T(Schema::AnyOf(schema)) => schema.example = Some(example),
        RefOr::T(_) | RefOr::Ref(_) => {}
    }
}
