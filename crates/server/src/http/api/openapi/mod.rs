//! The OpenAPI document, made from the handlers.

mod examples;
mod problems;

use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};

use flagservice_rules::Rule;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{Content, Header, InfoBuilder, License, OpenApi, OpenApiBuilder, PathItem, Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::app::RuleName;
use crate::http::api::openapi::problems::Kind;
use crate::http::api::rest::rest;
use crate::http::problem::Problem;

const BEARER: &str = "personalAccessToken";

/// How a reference to a list's schema begins.
const LIST: &str = "/List_";

/// The answer to what has yet to be done.
const ACCEPTED: &str = "202";

/// The OpenAPI document of the REST API.
pub fn document() -> OpenApi {
    let (_, mut api) = OpenApiRouter::with_openapi(base()).nest("/api/v1", rest()).split_for_parts();
    let components = api.components.get_or_insert_default();
    let mut schemas = vec![(Problem::name().into_owned(), Problem::schema())];
    Problem::schemas(&mut schemas);
    schemas.push((RuleName::name().into_owned(), RuleName::schema()));
    components.schemas.extend(schemas);
    // What a rule means is no matter of how it may be called, which the server decides.
    if let Some(RefOr::T(Schema::Object(rule))) = components.schemas.get_mut(&*Rule::name()) {
        rule.properties.insert("name".to_owned(), Ref::from_schema_name(RuleName::name()).into());
    }
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    components.security_schemes.insert(BEARER.to_owned(), RefOr::T(bearer));
    api.security = Some(vec![SecurityRequirement::new(BEARER, Vec::<String>::new())]);
    examples::add_examples(&mut components.schemas);
    let answers = problems::ALL.iter().map(|problem| (problem.name.to_owned(), RefOr::T(problem.answer())));
    components.responses.extend(answers);
    for (path, item) in &mut api.paths.paths {
        complete(path, item);
    }
    api
}

fn base() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Flag Service")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Administration of features, environments and people. Send a personal access token as a bearer. Every error is \
             application/problem+json. A write with If-Match is refused with 412 when the resource changed since; without it \
             the last writer wins. A creation with Idempotency-Key is done once. A change of targeting that needs an approval is \
             answered with 202, and made when somebody else approves it.",
        ))
        .license(Some(License::new("Apache-2.0")))
        .build();
    OpenApiBuilder::new().info(info).build()
}

/// Adds what every operation of its kind answers: problems, and the version of the one resource that it shows.
fn complete(path: &str, item: &mut PathItem) {
    let PathItem { get, put, post, patch, delete, .. } = item;
    for (method, operation) in [("get", get), ("put", put), ("post", post), ("patch", patch), ("delete", delete)] {
        let Some(operation) = operation else { continue };
        let kind = Kind::of(method, path, operation);
        let answers = &mut operation.responses.responses;
        for (status, answer) in answers.iter_mut() {
            // What is accepted for later is another resource than the one that the path names.
            if let RefOr::T(answer) = answer
                && status != ACCEPTED
                && answer.content.values().any(shows_one)
            {
                answer.headers.insert("ETag".to_owned(), RefOr::T(etag()));
            }
        }
        for problem in problems::ALL.iter().filter(|problem| (problem.is_possible)(&kind)) {
            answers.insert(problem.status(), Ref::from_response_name(problem.name).into());
        }
    }
}

/// The schemas of what is made of many resources.
const OF_SEVERAL: [&str; 3] = ["/Comparison", "/CopyResult", "/Preview"];

/// Whether the content is one resource, not a list of them or what is made of several.
fn shows_one(content: &RefOr<Content>) -> bool {
    let RefOr::T(content) = content else { return false };
    match &content.schema {
        Some(RefOr::Ref(schema)) => {
            let of_several = OF_SEVERAL.iter().any(|name| schema.ref_location.ends_with(name));
            !(of_several || schema.ref_location.contains(LIST))
        }
        Some(RefOr::T(_)) | None => false,
    }
}

fn etag() -> Header {
    let schema = ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).pattern(Some("^\"[0-9]+\"$"));
    let description = "The resource's version, for If-Match.";
    HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build()
}
