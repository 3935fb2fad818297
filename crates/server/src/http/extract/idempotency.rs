//! Requests that are done once, however often they are sent with the same `Idempotency-Key`.

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
use crate::domain::idempotency::Record;
use crate::http::extract::json;
use crate::http::extract::version::etag;
use crate::http::problem::Problem;
use crate::secret;

/// Names the key of a request that is to be done once.
const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// The version of what was just created.
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
            "Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, \
             without the secret that it may have shown. With another body or path the same key is refused with 422; while the \
             first request is still running, with 409.",
        ));
        vec![described.build()]
    }
}

/// A body of `application/json`, of a request that may have an `Idempotency-Key`.
pub struct Once<T> {
    /// The body.
    pub body: T,
    /// What makes the request one of its kind.
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

/// A request without a body that may have an `Idempotency-Key`. What comes in a body counts for nothing.
pub struct OnceBare(pub Option<idempotency::Request>);

impl<S: Send + Sync> FromRequestParts<S> for OnceBare {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let key = parts.headers.get(IDEMPOTENCY_KEY).map(|key| key.to_str().unwrap_or_default());
        let hash = || secret::hash(&format!("{} {}", parts.method, parts.uri));
        Ok(Self(key.map(|key| idempotency::Request::new(key, hash())).transpose()?))
    }
}

/// What a write replies, with the operation that it wrote in.
pub struct Reply<'a> {
    operation: Operation<'a>,
    outcome: Outcome,
}

enum Outcome {
    /// An answer, stored with its effect. `stored` is what a repeat is answered: a secret is shown once.
    Answer { status: StatusCode, version: Option<u64>, stored: String, body: String },
    /// A refusal whose effect is made durable too; a repeat is tried again.
    Refusal(Problem),
}

impl<'a> Reply<'a> {
    /// 201 with the new resource.
    pub fn created(operation: Operation<'a>, view: &impl Serialize) -> Result<Self, Problem> {
        let body = text(view)?;
        Ok(Self::created_with_secret(operation, body.clone(), body))
    }

    /// 201 with the new resource and its secret; `stored` is the same without the secret.
    pub fn created_with_secret(operation: Operation<'a>, stored: String, body: String) -> Self {
        let (status, version) = (StatusCode::CREATED, Some(FIRST_VERSION));
        Self { operation, outcome: Outcome::Answer { status, version, stored, body } }
    }

    /// Another answer; the version is that of the resource in it, if it is one.
    pub fn answer(
        operation: Operation<'a>,
        status: StatusCode,
        version: Option<u64>,
        view: &impl Serialize,
    ) -> Result<Self, Problem> {
        let body = text(view)?;
        Ok(Self { operation, outcome: Outcome::Answer { status, version, stored: body.clone(), body } })
    }

    /// A refusal whose effect is made durable too.
    pub fn refusal(operation: Operation<'a>, problem: Problem) -> Self {
        Self { operation, outcome: Outcome::Refusal(problem) }
    }
}

/// Does a write once: in a transaction with its answer, unless the request was done before.
pub async fn once<'a, F: Future<Output = Result<Reply<'a>, Problem>> + Send>(
    app: &'a App,
    actor: &'a Actor,
    request: Option<idempotency::Request>,
    write: impl FnOnce(Operation<'a>) -> F,
) -> Result<Response, Problem> {
    let claim = idempotency::Claim::new(app, actor, request)?;
    once_claimed(app, actor, claim, write).await
}

/// Does a write once that needs slow work first, outside the transaction: `prepare`, which is skipped for a repeat.
pub async fn once_prepared<'a, T, F: Future<Output = Result<Reply<'a>, Problem>> + Send>(
    app: &'a App,
    actor: &'a Actor,
    request: Option<idempotency::Request>,
    prepare: impl Future<Output = Result<T, Problem>> + Send,
    write: impl FnOnce(Operation<'a>, T) -> F,
) -> Result<Response, Problem> {
    let mut claim = idempotency::Claim::new(app, actor, request)?;
    if let Begun::Done(record) = idempotency::begin(app, actor, &mut claim).await? {
        return Ok(repeated(record));
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
        Begun::Done(record) => return Ok(repeated(record)),
    };
    let Reply { operation, outcome } = write(operation).await?;
    match outcome {
        Outcome::Answer { status, version, stored, body } => {
            idempotency::finish(operation, claim, (status.as_u16(), &stored, version)).await?;
            Ok(answer(status.as_u16(), version, body))
        }
        Outcome::Refusal(problem) => {
            idempotency::release(operation, claim).await?;
            Err(problem)
        }
    }
}

/// The answer of a request that was done before.
pub async fn answered(
    app: &App,
    actor: &Actor,
    request: Option<&idempotency::Request>,
) -> Result<Option<Response>, Problem> {
    let Some(request) = request else { return Ok(None) };
    let record = idempotency::done(app, actor, request).await?;
    Ok(record.map(repeated))
}

/// Does a request of several transactions once. `work` continues after the steps that an interrupted attempt has done, and
/// returns the steps with the body of the answer.
pub async fn once_in_steps<'a, F: Future<Output = Result<(Steps<'a>, String), Problem>> + Send>(
    app: &'a App,
    actor: &'a Actor,
    request: Option<idempotency::Request>,
    work: impl FnOnce(Steps<'a>) -> F,
) -> Result<Response, Problem> {
    let steps = match idempotency::begin_steps(app, actor, request).await? {
        BegunSteps::Open(steps) => steps,
        BegunSteps::Done(record) => return Ok(repeated(record)),
    };
    let (steps, body) = work(steps).await?;
    let status = StatusCode::OK.as_u16();
    steps.finish(app, actor, (status, &body)).await?;
    Ok(answer(status, None, body))
}

/// The text of an answer.
pub fn text(view: &impl Serialize) -> Result<String, Problem> {
    serde_json::to_string(view).map_err(|error| crate::app::AppError::Internal(error.into()).into())
}

/// The stored answer of a request that was done before.
fn repeated(record: Record) -> Response {
    answer(record.status, record.version, record.body)
}

/// An answer in JSON, with the version of what it shows.
pub fn answer(status: u16, version: Option<u64>, body: String) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let mut response =
        (status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response();
    if let Some(etag) = version.and_then(|version| HeaderValue::try_from(etag(version)).ok()) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    response
}
