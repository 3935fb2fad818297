//! The OpenAPI document, generated from the handlers.

mod examples;
mod problems;
mod security;

use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};

use flagservice_rules::Rule;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{Content, Header, InfoBuilder, License, OpenApi, OpenApiBuilder, PathItem, Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::app::RuleName;
use crate::http::api::openapi::problems::OperationTraits;
use crate::http::api::openapi::security::BEARER;
use crate::http::api::rest::rest;
use crate::http::problem::Problem;

/// How a reference to a list's schema begins.
const LIST: &str = "/List_";

/// The status of a response with a new resource.
const CREATED: &str = "201";

/// The status of a change that waits for approval.
const ACCEPTED: &str = "202";

/// The OpenAPI document of the REST API.
pub fn document() -> OpenApi {
    let (_, mut api) = OpenApiRouter::with_openapi(base()).nest("/api/v1", rest()).split_for_parts();
    let components = api.components.get_or_insert_default();
    let mut schemas = vec![(Problem::name().into_owned(), Problem::schema())];
    Problem::schemas(&mut schemas);
    schemas.push((RuleName::name().into_owned(), RuleName::schema()));
    components.schemas.extend(schemas);
    // The rules crate allows any name; the server limits it.
    if let Some(RefOr::T(Schema::Object(rule))) = components.schemas.get_mut(&*Rule::name()) {
        rule.properties.insert("name".to_owned(), Ref::from_schema_name(RuleName::name()).into());
    }
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    components.security_schemes.insert(BEARER.to_owned(), RefOr::T(bearer));
    api.security = Some(vec![SecurityRequirement::new(BEARER, Vec::<String>::new())]);
    examples::add_examples(&mut components.schemas);
    let responses = problems::ALL.iter().map(|problem| (problem.name.to_owned(), RefOr::T(problem.response())));
    components.responses.extend(responses);
    for (path, item) in &mut api.paths.paths {
        add_common_responses(path, item);
    }
    api
}

fn base() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Flag Service")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Manage features, environments and people. Send a personal access token as a bearer token. Every error is \
             application/problem+json. A write with If-Match fails with 412 if the resource has changed; without it the last \
             write wins. A POST with an Idempotency-Key is executed once. A targeting change that needs approval returns 202 \
             and is applied when another person approves it.",
        ))
        .license(Some(License::new("Apache-2.0")))
        .build();
    OpenApiBuilder::new().info(info).build()
}

/// Adds the responses that operations have in common: problems, `ETag` for a single resource, `Location` for a new one.
fn add_common_responses(path: &str, item: &mut PathItem) {
    let PathItem { get, put, post, patch, delete, .. } = item;
    for (method, operation) in [("get", get), ("put", put), ("post", post), ("patch", patch), ("delete", delete)] {
        let Some(operation) = operation else { continue };
        let traits = OperationTraits::new(method, path, operation);
        let responses = &mut operation.responses.responses;
        for (status, response) in responses.iter_mut() {
            if let RefOr::T(response) = response
                && status == CREATED
            {
                response.headers.insert("Location".to_owned(), RefOr::T(location()));
            }
            // A 202 returns the approval, not the resource of the path.
            if let RefOr::T(response) = response
                && status != ACCEPTED
                && response.content.values().any(is_single_resource)
            {
                response.headers.insert("ETag".to_owned(), RefOr::T(etag()));
            }
        }
        for problem in problems::ALL.iter().filter(|problem| (problem.is_possible)(&traits)) {
            responses.insert(problem.status(), Ref::from_response_name(problem.name).into());
        }
    }
}

/// The schemas that combine several resources.
const AGGREGATES: [&str; 7] = [
    "/AnalyticsRegions",
    "/Comparison",
    "/CopyResult",
    "/Erasure",
    "/ExperimentResults",
    "/FeatureInsightsDetails",
    "/Preview",
];

/// Whether the content is a single resource, not a list or a combination.
fn is_single_resource(content: &RefOr<Content>) -> bool {
    let RefOr::T(content) = content else { return false };
    match &content.schema {
        Some(RefOr::Ref(schema)) => {
            let is_aggregate = AGGREGATES.iter().any(|name| schema.ref_location.ends_with(name));
            !(is_aggregate || schema.ref_location.contains(LIST))
        }
        Some(RefOr::T(_)) | None => false,
    }
}

fn etag() -> Header {
    let schema = ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).pattern(Some("^\"[0-9]+\"$"));
    let description = "The version of the resource, for If-Match.";
    HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build()
}

fn location() -> Header {
    let schema = ObjectBuilder::new().schema_type(SchemaType::new(Type::String));
    HeaderBuilder::new().schema(Some(schema)).description(Some("The path of the new resource.")).build()
}
