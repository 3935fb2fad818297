//! Schemas for the server's OpenAPI document, of types whose JSON differs from their Rust shape.

use crate::{Difference, Operator, Percentage, Rule, Value};
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa::openapi::{RefOr, schema::SchemaType};
use utoipa::{PartialSchema, ToSchema};

fn of_type(kind: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::new(kind))
}

impl PartialSchema for Value {
    fn schema() -> RefOr<Schema> {
        let kinds = [Type::String, Type::Number, Type::Boolean];
        kinds.into_iter().fold(OneOfBuilder::new(), |one_of, kind| one_of.item(of_type(kind))).into()
    }
}

impl ToSchema for Value {}

impl PartialSchema for Percentage {
    fn schema() -> RefOr<Schema> {
        of_type(Type::Number)
            .minimum(Some(0))
            .maximum(Some(100))
            .description(Some("A percentage in steps of 0.001."))
            .into()
    }
}

impl ToSchema for Percentage {}

impl PartialSchema for Operator {
    fn schema() -> RefOr<Schema> {
        of_type(Type::String).enum_values(Some(Self::ALL.iter().map(Self::as_str))).into()
    }
}

impl ToSchema for Operator {}

impl PartialSchema for Difference {
    fn schema() -> RefOr<Schema> {
        of_type(Type::String).enum_values(Some(Self::ALL.map(Self::as_str))).into()
    }
}

impl ToSchema for Difference {}

impl PartialSchema for Rule {
    fn schema() -> RefOr<Schema> {
        crate::rule::RuleInput::schema()
    }
}

impl ToSchema for Rule {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        crate::rule::RuleInput::schemas(schemas);
    }
}
