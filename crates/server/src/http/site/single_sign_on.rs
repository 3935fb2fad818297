//! `/ui/single-sign-on`: signing in to the administration pages with the identity provider. Failures lead to the sign-in page, which
//! says what to do; the log has the cause.

use std::error::Error as _;
use std::time::Duration;

use axum::Router;
use axum::extract::{FromRequestParts as _, Query, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use form_urlencoded::Serializer;
use serde::Deserialize;

use crate::app::resources::identities::{self, SignIn};
use crate::app::{App, AppError, BaseUrl};
use crate::http::problem::Problem;
use crate::http::site::return_path::return_path;
use crate::http::site::session::{SignInState, cookies, session_cookie};
use crate::identity::{Failure, PendingSignIn, Provider};
use crate::secret::Secret;

/// The cookie with the sign-in that has begun, and the one where the public address is https. It is sent when the provider sends the
/// person back from its own site, which the session's cookie is not.
const COOKIE: &str = "flagservice-sign-in";
const HOST_COOKIE: &str = "__Host-flagservice-sign-in";

/// The path of all of this.
const PATH: &str = "/ui/single-sign-on";

/// For what the cookie is encrypted.
const PURPOSE: &[u8] = b"flagservice sign-in";

/// The longest text of the provider in a log line, in characters.
const MAX_LOGGED: usize = 200;

/// The routes of single sign-on. Without an identity provider they do not exist.
pub fn router<S>(state: &SignInState) -> Router<S> {
    Router::new()
        .route("/ui/single-sign-on", get(begin))
        .route("/ui/single-sign-on/callback", get(finish))
        .with_state(state.clone())
}

/// What the sign-in page is told about a sign-in that failed. Its sentences are in `js/admin/shell/single-sign-on.tsx`.
#[derive(Clone, Copy)]
enum Reason {
    TooManyAttempts,
    Unreachable,
    Cancelled,
    Expired,
    RefusedByProvider,
    Invalid,
    NoRole,
    Removed,
    NoOrganisation,
    Failed,
}

impl Reason {
    fn as_str(self) -> &'static str {
        match self {
            Self::TooManyAttempts => "too-many-attempts",
            Self::Unreachable => "unreachable",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::RefusedByProvider => "refused",
            Self::Invalid => "invalid",
            Self::NoRole => "no-role",
            Self::Removed => "removed",
            Self::NoOrganisation => "no-organisation",
            Self::Failed => "failed",
        }
    }

    fn of_failure(failure: &Failure) -> Self {
        match failure {
            Failure::Unreachable(_) => Self::Unreachable,
            Failure::CodeRefused(_) => Self::RefusedByProvider,
            Failure::Invalid(_) => Self::Invalid,
            Failure::NoRole { .. } => Self::NoRole,
        }
    }
}

#[derive(Deserialize)]
struct Begin {
    /// The page to open afterwards.
    from: Option<String>,
}

/// Sends the person to the provider.
async fn begin(State(state): State<SignInState>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let Some(provider) = &state.provider else { return no_provider() };
    let query = Query::<Begin>::from_request_parts(&mut parts, &()).await.ok();
    let from = return_path(query.and_then(|Query(begin)| begin.from).as_deref());
    if state.limit.refusal(&parts).is_some() {
        return refused(Reason::TooManyAttempts, &from, None);
    }
    let (url, pending) = match provider.begin(&*state.app.random, from.clone()).await {
        Ok(begun) => begun,
        Err(failure) => {
            tracing::warn!(%failure, "nobody can sign in with the identity provider");
            return refused(Reason::of_failure(&failure), &from, None);
        }
    };
    match pending_cookie(&state.app, &pending) {
        Ok(cookie) => redirect(url.as_str(), &[cookie]),
        Err(error) => failed(&error, &from),
    }
}

/// What the provider sends the person back with.
#[derive(Default, Deserialize)]
struct Answer {
    state: Option<Secret>,
    code: Option<String>,
    error: Option<String>,
    /// The provider that answers (RFC 9207).
    iss: Option<String>,
}

/// Signs the person in whom the provider has sent back.
async fn finish(State(state): State<SignInState>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let Some(provider) = &state.provider else { return no_provider() };
    let app = &state.app;
    let forget = set_cookie(app.outbound.public.as_ref(), "", Duration::ZERO);
    let answer = Query::<Answer>::from_request_parts(&mut parts, &()).await.map(|Query(answer)| answer);
    let answer = answer.unwrap_or_default();
    // The cookie is of a sign-in that was begun in this browser, and the state is that of the same sign-in.
    let pending = pending(app, &parts.headers);
    let pending = pending.filter(|pending| answer.state.as_ref().is_some_and(|state| state.is(&pending.state)));
    // The cookie stays: it may be that of a sign-in in another tab.
    let Some(pending) = pending else { return refused(Reason::Expired, "/", None) };
    let reason = match attempt(&state, provider, &parts, &pending, answer).await {
        Ok(session_cookie) => return redirect(&pending.from, &[forget, session_cookie]),
        Err(reason) => reason,
    };
    refused(reason, &pending.from, Some(forget))
}

/// The cookie of the session of the person whom the provider has sent back.
async fn attempt(
    SignInState { app, limit, .. }: &SignInState,
    provider: &Provider,
    parts: &Parts,
    pending: &PendingSignIn,
    answer: Answer,
) -> Result<String, Reason> {
    if limit.refusal(parts).is_some() {
        return Err(Reason::TooManyAttempts);
    }
    let code = code(provider, answer)?;
    let settings = provider.settings();
    let organisation = settings.organisation.as_deref();
    let claims = match provider.finish(pending, code).await {
        Ok(claims) => claims,
        Err(failure) => {
            tracing::warn!(%failure, claim = settings.role_claim.as_str(), "a sign-in with the identity provider failed");
            if let Failure::NoRole { subject } = &failure {
                let lost = identities::lose_role(app, organisation, settings.issuer.as_str(), subject).await;
                lost.map_err(|error| failed_reason(&error))?;
            }
            return Err(Reason::of_failure(&failure));
        }
    };
    match identities::sign_in(app, organisation, &claims).await {
        Ok(SignIn::Begun(session, text)) => Ok(session_cookie(app, &session, &text)),
        Ok(SignIn::Removed(user)) => {
            tracing::warn!(%user, "a removed person wants to sign in: to allow it, 'flagservice-server user readmit' with this id");
            Err(Reason::Removed)
        }
        Ok(SignIn::NoOrganisation) => {
            tracing::warn!(
                "nobody can sign in: there is no organisation, or several and --oidc-organisation names none of them"
            );
            Err(Reason::NoOrganisation)
        }
        Err(error) => Err(failed_reason(&error)),
    }
}

/// The code of an answer that came from this provider.
fn code(provider: &Provider, answer: Answer) -> Result<String, Reason> {
    if answer.iss.is_some_and(|issuer| issuer != provider.settings().issuer.as_str()) {
        tracing::warn!("the answer to a sign-in is from another issuer than --oidc-issuer");
        return Err(Reason::Invalid);
    }
    match (answer.error, answer.code) {
        (None, Some(code)) => Ok(code),
        (Some(error), _) if error == "access_denied" => Err(Reason::Cancelled),
        (error, _) => {
            let error = error.unwrap_or_default().chars().take(MAX_LOGGED).collect::<String>();
            tracing::warn!(?error, "the identity provider refused a sign-in");
            Err(Reason::RefusedByProvider)
        }
    }
}

/// The sign-in that the browser has begun and that is not too old.
fn pending(app: &App, headers: &HeaderMap) -> Option<PendingSignIn> {
    let name = cookie_name(app.outbound.public.as_ref());
    let mut found = cookies(headers).filter(|(found, _)| *found == name);
    // Two of them would be of different paths, and one may be somebody else's.
    let ((_, sealed), None) = (found.next()?, found.next()) else { return None };
    let plain = app.keyring.open_sealed(PURPOSE, sealed)?;
    let pending: PendingSignIn = serde_json::from_slice(&plain).ok()?;
    (pending.expires_at > app.now()).then_some(pending)
}

fn pending_cookie(app: &App, pending: &PendingSignIn) -> Result<String, AppError> {
    let plain = serde_json::to_vec(pending).map_err(anyhow::Error::new)?;
    let sealed = app.keyring.seal(PURPOSE, &plain, &*app.random)?;
    let lifetime = pending.expires_at.0.saturating_sub(app.now().0);
    let lifetime = Duration::from_millis(u64::try_from(lifetime).unwrap_or_default());
    Ok(set_cookie(app.outbound.public.as_ref(), &sealed, lifetime))
}

fn cookie_name(public: Option<&BaseUrl>) -> &'static str {
    if public.is_some_and(BaseUrl::is_https) { HOST_COOKIE } else { COOKIE }
}

fn set_cookie(public: Option<&BaseUrl>, text: &str, lifetime: Duration) -> String {
    let name = cookie_name(public);
    let (path, secure) = if name == HOST_COOKIE { ("/", "; Secure") } else { (PATH, "") };
    format!("{name}={text}; Path={path}; Max-Age={}; HttpOnly; SameSite=Lax{secure}", lifetime.as_secs())
}

/// Leads to the sign-in page, which gives the reason.
fn refused(reason: Reason, from: &str, cookie: Option<String>) -> Response {
    let query =
        Serializer::new(String::new()).append_pair("problem", reason.as_str()).append_pair("from", from).finish();
    redirect(&format!("/sign-in?{query}"), cookie.as_slice())
}

fn failed(error: &AppError, from: &str) -> Response {
    refused(failed_reason(error), from, None)
}

fn failed_reason(error: &AppError) -> Reason {
    tracing::error!(%error, cause = ?error.source(), "a sign-in with the identity provider failed");
    Reason::Failed
}

/// A redirect that leaves no trace of its address.
fn redirect(to: &str, set_cookies: &[String]) -> Response {
    let headers =
        [(header::LOCATION, to), (header::CACHE_CONTROL, "no-store"), (header::REFERRER_POLICY, "no-referrer")];
    let mut response = (StatusCode::SEE_OTHER, headers).into_response();
    for cookie in set_cookies {
        if let Ok(cookie) = cookie.parse() {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    response
}

fn no_provider() -> Response {
    let detail = "Single sign-on is not set up. Sign in with a personal access token, or set --oidc-issuer.";
    Problem::new(StatusCode::NOT_FOUND, "not-found", detail).into_response()
}
