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

use crate::app::changes::idempotency::{self, Asked, Begun, BegunSteps, Claim, Steps};
use crate::app::{Actor, App, Write};
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

/// A request that takes long: it is known to be new, and its write begins when it has been done.
pub struct Ahead<'a> {
    app: &'a App,
    actor: &'a Actor,
    claim: Claim<'a>,
}

/// Finds out whether a request that takes long is new; the error side holds the answer when it was done before.
pub async fn ask<'a>(
    app: &'a App,
    actor: &'a Actor,
    request: Option<idempotency::Request>,
) -> Result<Result<Ahead<'a>, Response>, Problem> {
    Ok(match idempotency::ask(app, actor, request).await? {
        Asked::New(claim) => Ok(Ahead { app, actor, claim }),
        Asked::Done(record) => Err(again(record)),
    })
}

impl<'a> Ahead<'a> {
    /// Begins the write; the error side holds the answer when another node has done the same meanwhile.
    pub async fn begin(self) -> Result<Result<Run<'a>, Response>, Problem> {
        let Self { app, actor, claim } = self;
        Ok(match idempotency::resume(app, actor, claim).await? {
            Begun::New(write, claim) => Ok(Run { write, app, actor, claim }),
            Begun::Done(record) => Err(again(record)),
        })
    }
}

/// A write under way, whose answer is kept with its effect.
pub struct Run<'a> {
    /// The transaction.
    pub write: Write<'a>,
    app: &'a App,
    actor: &'a Actor,
    claim: Claim<'a>,
}

/// Begins a write; the error side holds the answer when it was done before.
pub async fn begin<'a>(
    app: &'a App,
    actor: &'a Actor,
    request: Option<idempotency::Request>,
) -> Result<Result<Run<'a>, Response>, Problem> {
    Ok(match idempotency::begin(app, actor, request).await? {
        Begun::New(write, claim) => Ok(Run { write, app, actor, claim }),
        Begun::Done(record) => Err(again(record)),
    })
}

/// The answer of a request that was done before.
pub async fn answered(
    app: &App,
    actor: &Actor,
    request: Option<&idempotency::Request>,
) -> Result<Option<Response>, Problem> {
    let Some(request) = request else { return Ok(None) };
    let record = idempotency::done(app, actor, request).await?;
    Ok(record.map(again))
}

/// Begins a request of several transactions; the error side holds the answer when it was done before.
pub async fn begin_steps<'a>(
    app: &'a App,
    actor: &Actor,
    request: Option<idempotency::Request>,
) -> Result<Result<Steps<'a>, Response>, Problem> {
    Ok(match idempotency::begin_steps(app, actor, request).await? {
        BegunSteps::Open(steps) => Ok(steps),
        BegunSteps::Done(record) => Err(again(record)),
    })
}

impl Run<'_> {
    /// Makes the effect durable with its answer, and answers 201.
    pub async fn created(self, view: &impl Serialize) -> Result<Response, Problem> {
        let body = text(view)?;
        self.created_with_secret(&body, body.clone()).await
    }

    /// The same, for an answer that shows a secret this once: `kept` is the answer without it.
    pub async fn created_with_secret(self, kept: &str, shown: String) -> Result<Response, Problem> {
        let status = StatusCode::CREATED.as_u16();
        let version = Some(FIRST_VERSION);
        idempotency::finish(self.app, self.actor, self.write, self.claim, (status, kept, version)).await?;
        Ok(answer(status, version, shown))
    }

    /// Makes the effect durable with its answer; the version is that of the resource which it shows, if it shows one.
    pub async fn answered(
        self,
        status: StatusCode,
        version: Option<u64>,
        view: &impl Serialize,
    ) -> Result<Response, Problem> {
        let (status, body) = (status.as_u16(), text(view)?);
        idempotency::finish(self.app, self.actor, self.write, self.claim, (status, &body, version)).await?;
        Ok(answer(status, version, body))
    }

    /// Makes durable what is left of a refusal, and refuses.
    pub async fn refused(self, problem: Problem) -> Problem {
        match idempotency::refuse(self.app, self.actor, self.write, self.claim).await {
            Ok(()) => problem,
            Err(error) => error.into(),
        }
    }
}

/// The text of an answer.
pub fn text(view: &impl Serialize) -> Result<String, Problem> {
    serde_json::to_string(view).map_err(|error| crate::app::AppError::Internal(error.into()).into())
}

/// The answer that was given when it was done.
fn again(record: Record) -> Response {
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
