//! The OpenAPI document, made from the handlers.

use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    ContentBuilder, InfoBuilder, License, OpenApi, OpenApiBuilder, PathItem, Ref, RefOr, ResponseBuilder,
};
use utoipa::{PartialSchema, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::problem::Problem;
use super::router::rest;

const BEARER: &str = "personalAccessToken";

/// The OpenAPI document of the REST API.
pub fn document() -> OpenApi {
    let (_, mut api) = OpenApiRouter::with_openapi(base()).nest("/api/v1", rest()).split_for_parts();
    let components = api.components.get_or_insert_default();
    let mut schemas = vec![(Problem::name().into_owned(), Problem::schema())];
    Problem::schemas(&mut schemas);
    components.schemas.extend(schemas);
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    components.security_schemes.insert(BEARER.to_owned(), RefOr::T(bearer));
    api.security = Some(vec![SecurityRequirement::new(BEARER, Vec::<String>::new())]);
    for item in api.paths.paths.values_mut() {
        add_problem(item);
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
             the last writer wins. A creation with Idempotency-Key is done once.",
        ))
        .license(Some(License::new("Apache-2.0")))
        .build();
    OpenApiBuilder::new().info(info).build()
}

/// Every operation may answer with a problem.
fn add_problem(item: &mut PathItem) {
    let operations =
        [&mut item.get, &mut item.put, &mut item.post, &mut item.patch, &mut item.delete].into_iter().flatten();
    for operation in operations {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(Problem::name()))).build();
        let problem =
            ResponseBuilder::new().description("A problem.").content("application/problem+json", content).build();
        operation.responses.responses.insert("default".to_owned(), RefOr::T(problem));
    }
}
