//! Idempotent requests: executed once, however often they are sent with the same `Idempotency-Key`.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;
use utoipa::openapi::Required;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};

use crate::app::changes::idempotency::{self, Begun, BegunSteps, Steps};
use crate::app::{Actor, App, Operation};
use crate::domain::changes::idempotency::{Answer, Record};
use crate::http::extract::json;
use crate::http::extract::location::Created;
use crate::http::extract::version::{Versioned, etag};
use crate::http::problem::Problem;
use crate::secret;

/// The header with the key.
const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// The version of a new resource with a secret.
const FIRST_VERSION: u64 = 1;

/// The header in the OpenAPI document.
pub struct IdempotencyKey;

impl IntoParams for IdempotencyKey {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let key = ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).pattern(Some(r"^[\t -~]+$"));
        let key = key.min_length(Some(1)).max_length(Some(idempotency::MAX_KEY));
        let name = "Idempotency-Key";
        let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Header).schema(Some(key));
        let described = parameter.required(Required::False).description(Some(
            "Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without \
             secrets. The same key with another body or path fails with 422, and with 409 while the first request is running.",
        ));
        vec![described.build()]
    }
}

/// A body of `application/json`, of a request that may have an `Idempotency-Key`.
pub struct Once<T> {
    /// The body.
    pub body: T,
    /// The idempotency key and the hash of the request.
    pub request: Option<idempotency::Request>,
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Once<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let key = request.headers().get(IDEMPOTENCY_KEY).map(|key| key.to_str().unwrap_or_default().to_owned());
        let route = format!("{} {}", request.method(), request.uri());
        let body = json::read(request, state, &["application/json"]).await?;
        let hash = || secret::hash(&format!("{route}\n{}", String::from_utf8_lossy(&body)));
        let request = key.map(|key| idempotency::Request::new(&key, hash())).transpose()?;
        Ok(Self { body: json::parse(&body)?, request })
    }
}

/// A request without a body that may have an `Idempotency-Key`. A body is ignored.
pub struct OnceWithoutBody(pub Option<idempotency::Request>);

impl<S: Send + Sync> FromRequestParts<S> for OnceWithoutBody {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let key = parts.headers.get(IDEMPOTENCY_KEY).map(|key| key.to_str().unwrap_or_default());
        let hash = || secret::hash(&format!("{} {}", parts.method, parts.uri));
        Ok(Self(key.map(|key| idempotency::Request::new(key, hash())).transpose()?))
    }
}

/// The response to a write, with its operation.
pub struct Reply<'a> {
    operation: Operation<'a>,
    outcome: Outcome,
}

enum Outcome {
    /// A response, stored in the same transaction. A repeat gets `stored`, which has no secret.
    Success { status: StatusCode, version: Option<u64>, stored: String, body: String },
    /// An error whose effect is committed too. A repeat is executed again.
    Error(Problem),
}

impl<'a> Reply<'a> {
    /// 201 with the new resource.
    pub fn created(operation: Operation<'a>, created: Versioned<impl Serialize>) -> Result<Self, Problem> {
        Self::json(operation, StatusCode::CREATED, Some(created.version), &created.view)
    }

    /// 201 with the new resource and its secret; `stored` is the same without the secret.
    pub fn created_with_secret(operation: Operation<'a>, stored: String, body: String) -> Self {
        let (status, version) = (StatusCode::CREATED, Some(FIRST_VERSION));
        Self { operation, outcome: Outcome::Success { status, version, stored, body } }
    }

    /// 200 with a new secret of a resource that has this version; `stored` is the same without the secret.
    pub fn with_secret(operation: Operation<'a>, version: u64, stored: String, body: String) -> Self {
        let (status, version) = (StatusCode::OK, Some(version));
        Self { operation, outcome: Outcome::Success { status, version, stored, body } }
    }

    /// Another response; `version` is that of the resource in the body.
    pub fn json(
        operation: Operation<'a>,
        status: StatusCode,
        version: Option<u64>,
        view: &impl Serialize,
    ) -> Result<Self, Problem> {
        let body = text(view)?;
        Ok(Self { operation, outcome: Outcome::Success { status, version, stored: body.clone(), body } })
    }

    /// An error whose effect is committed too.
    pub fn error(operation: Operation<'a>, problem: Problem) -> Self {
        Self { operation, outcome: Outcome::Error(problem) }
    }
}

/// Executes a write once, in one transaction with its stored response. A repeat gets the stored response.
pub async fn once<'a, F: Future<Output = Result<Reply<'a>, Problem>> + Send>(
    app: &'a App,
    actor: &'a Actor,
    request: Option<idempotency::Request>,
    write: impl FnOnce(Operation<'a>) -> F,
) -> Result<Response, Problem> {
    let claim = idempotency::Claim::new(app, actor, request)?;
    once_claimed(app, actor, claim, write).await
}

/// Executes a write once after slow work outside the transaction: `prepare`, which is skipped for a repeat.
pub async fn once_prepared<'a, T, F: Future<Output = Result<Reply<'a>, Problem>> + Send>(
    app: &'a App,
    actor: &'a Actor,
    request: Option<idempotency::Request>,
    prepare: impl Future<Output = Result<T, Problem>> + Send,
    write: impl FnOnce(Operation<'a>, T) -> F,
) -> Result<Response, Problem> {
    let mut claim = idempotency::Claim::new(app, actor, request)?;
    if let Begun::Done(record) = idempotency::begin(app, actor, &mut claim).await? {
        return Ok(replay(record));
    }
    let prepared = prepare.await?;
    once_claimed(app, actor, claim, |operation| write(operation, prepared)).await
}

async fn once_claimed<'a, F: Future<Output = Result<Reply<'a>, Problem>> + Send>(
    app: &'a App,
    actor: &'a Actor,
    mut claim: idempotency::Claim<'a>,
    write: impl FnOnce(Operation<'a>) -> F,
) -> Result<Response, Problem> {
    let operation = match idempotency::begin(app, actor, &mut claim).await? {
        Begun::New(operation) => operation,
        Begun::Done(record) => return Ok(replay(record)),
    };
    let Reply { operation, outcome } = write(operation).await?;
    match outcome {
        Outcome::Success { status, version, stored, body } => {
            let status = status.as_u16();
            idempotency::finish(operation, claim, Answer { status, body: &stored, version }).await?;
            Ok(json_response(status, version, body))
        }
        Outcome::Error(problem) => {
            idempotency::release(operation, claim).await?;
            Err(problem)
        }
    }
}

/// The stored response of a request that was executed before.
pub async fn stored_response(
    app: &App,
    actor: &Actor,
    request: Option<&idempotency::Request>,
) -> Result<Option<Response>, Problem> {
    let Some(request) = request else { return Ok(None) };
    let record = idempotency::done(app, actor, request).await?;
    Ok(record.map(replay))
}

/// Executes a request of several transactions once. `work` continues after the steps of an interrupted attempt, and returns
/// the steps with the response body.
pub async fn once_in_steps<'a, F: Future<Output = Result<(Steps<'a>, String), Problem>> + Send>(
    app: &'a App,
    actor: &'a Actor,
    request: Option<idempotency::Request>,
    work: impl FnOnce(Steps<'a>) -> F,
) -> Result<Response, Problem> {
    let steps = match idempotency::begin_steps(app, actor, request).await? {
        BegunSteps::Open(steps) => steps,
        BegunSteps::Done(record) => return Ok(replay(record)),
    };
    let (steps, body) = work(steps).await?;
    let status = StatusCode::OK.as_u16();
    steps.finish(app, actor, Answer { status, body: &body, version: None }).await?;
    Ok(json_response(status, None, body))
}

/// A response body as JSON.
pub fn text(view: &impl Serialize) -> Result<String, Problem> {
    serde_json::to_string(view).map_err(|error| crate::app::AppError::Internal(error.into()).into())
}

/// The response from the record of a request.
fn replay(record: Record) -> Response {
    json_response(record.status, record.version, record.body)
}

/// A JSON response with the version of its resource.
pub fn json_response(status: u16, version: Option<u64>, body: String) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let created = Created::of(status, &body);
    let mut response =
        (status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response();
    if let Some(created) = created {
        response.extensions_mut().insert(created);
    }
    if let Some(etag) = version.and_then(|version| HeaderValue::try_from(etag(version)).ok()) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    response
}
