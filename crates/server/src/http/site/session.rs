//! `/ui/session`: signing in to the administration pages with a personal access token, and out again; the session cookie.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{FromRef, FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::app::resources::sessions::{self, Session};
use crate::app::resources::{organisation, setup_links, users};
use crate::app::{App, AppError, BaseUrl, Name};
use crate::http::api::access_tokens::TokenScope;
use crate::http::api::users::UserView;
use crate::http::extract::json::Json;
use crate::http::extract::time::Time;
use crate::http::middleware::same_origin;
use crate::http::problem::Problem;
use crate::http::server::settings::Settings;
use crate::http::site::sign_in_limit::SignInLimit;
use crate::identity::Provider;
use crate::secret::Secret;

/// The cookie where the public address is plain http.
const COOKIE: &str = "flagservice-session";

/// The cookie where the public address is https. With this prefix, browsers accept it from this host over https only, so that neither
/// another host of the domain nor a plain connection can replace it.
const HOST_COOKIE: &str = "__Host-flagservice-session";

/// How long somebody who signs out waits for the identity provider.
const PROVIDER_TIMEOUT: Duration = Duration::from_secs(2);

/// The header with the CSRF token, which the pages send with each write.
pub const CSRF_HEADER: &str = "x-csrf-token";

/// The state of signing in.
#[derive(Clone)]
pub struct SignInState {
    pub(super) app: Arc<App>,
    pub(super) limit: Arc<SignInLimit>,
    /// None if people sign in with tokens alone.
    pub(super) provider: Option<Arc<Provider>>,
}

impl SignInState {
    /// Nobody has tried to sign in yet.
    pub fn new(app: &Arc<App>, settings: &Settings) -> Self {
        let provider = |settings| Arc::new(Provider::new(settings, Arc::clone(&app.clock)));
        Self {
            app: Arc::clone(app),
            limit: Arc::new(SignInLimit::new(settings.sign_ins, &settings.trusted_proxies)),
            provider: settings.identity_provider.clone().map(provider),
        }
    }
}

impl FromRef<SignInState> for Arc<App> {
    fn from_ref(state: &SignInState) -> Self {
        Self::clone(&state.app)
    }
}

/// The routes of signing in with a token, and out.
pub fn router<S>(state: &SignInState) -> Router<S> {
    Router::new()
        .route("/ui/session", get(read).post(sign_in).delete(sign_out))
        .route("/ui/set-up", post(set_up))
        .with_state(state.clone())
}

/// The session cookie of a request from this service's own pages.
pub struct SessionCookie(pub Secret);

impl SessionCookie {
    /// Reads the cookie from the request.
    ///
    /// # Errors
    /// A problem if the request comes from another site, has no cookie, or is a write without the CSRF token of the session.
    pub fn from_request(parts: &Parts, app: &App) -> Result<Self, Problem> {
        same_origin::check(parts, app.outbound.public.as_ref())?;
        let text = single_cookie(&parts.headers, app.outbound.public.as_ref())?;
        let given = parts.headers.get(CSRF_HEADER).and_then(|given| given.to_str().ok());
        if !parts.method.is_safe() && !given.is_some_and(|given| sessions::csrf_token(&text).is(given)) {
            let detail = "Send the session's csrfToken in the header X-CSRF-Token. GET /ui/session returns it.";
            return Err(Problem::new(StatusCode::FORBIDDEN, "csrf", detail));
        }
        Ok(Self(text))
    }
}

impl FromRequestParts<SignInState> for SessionCookie {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &SignInState) -> Result<Self, Problem> {
        Self::from_request(parts, &state.app)
    }
}

/// A sign-in attempt from a page of this service, within the rate limit.
struct SignInAttempt;

impl FromRequestParts<SignInState> for SignInAttempt {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &SignInState) -> Result<Self, Response> {
        same_origin::check(parts, state.app.outbound.public.as_ref()).map_err(Problem::into_response)?;
        state.limit.refusal(parts).map_or(Ok(Self), Err)
    }
}

/// The body of a sign-in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignIn {
    token: Secret,
}

/// The person who is signed in, and what the pages need for writes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionView {
    user: UserView,
    organisation: OrganisationView,
    /// What the token of the session is limited to.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<TokenScope>,
    csrf_token: String,
    expires_at: Time,
}

#[derive(Serialize)]
struct OrganisationView {
    id: String,
    name: String,
}

async fn sign_in(
    State(app): State<Arc<App>>,
    _: SignInAttempt,
    Json(SignIn { token }): Json<SignIn>,
) -> Result<Response, Problem> {
    let (session, text) = sessions::begin(&app, &token).await?;
    let cookie = session_cookie(&app, &session, &text);
    let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, "/ui/session".to_owned())];
    Ok((StatusCode::CREATED, headers, view(&app, session).await?).into_response())
}

/// The body with which an invited person creates their own token.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetUp {
    /// The secret of the set-up link.
    secret: Secret,
    /// The name of the token.
    name: Name,
}

/// The new token, which is shown once.
#[derive(Serialize)]
struct SetUpView {
    user: UserView,
    token: String,
}

async fn set_up(
    State(app): State<Arc<App>>,
    _: SignInAttempt,
    Json(SetUp { secret, name }): Json<SetUp>,
) -> Result<Response, Problem> {
    let (user, _, token) = setup_links::redeem(&app, &secret, name).await?;
    let view = SetUpView { user: user.into(), token: token.reveal().to_owned() };
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], axum::Json(view)).into_response())
}

async fn read(State(app): State<Arc<App>>, SessionCookie(text): SessionCookie) -> Result<Response, Problem> {
    view(&app, sessions::find(&app, &text).await?).await
}

/// Where the pages send somebody who has signed out here, so that the identity provider signs them out, too.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SignedOut {
    continue_at: String,
}

async fn sign_out(
    State(SignInState { app, provider, .. }): State<SignInState>,
    SessionCookie(text): SessionCookie,
) -> Result<Response, Problem> {
    let of_identity = sessions::end(&app, &text).await?;
    let cookie = [(header::SET_COOKIE, set_cookie("", Duration::ZERO, app.outbound.public.as_ref()))];
    let Some(provider) = provider.filter(|_| of_identity) else {
        return Ok((StatusCode::NO_CONTENT, cookie).into_response());
    };
    // The session has ended, whether or not the provider answers.
    Ok(match timeout(PROVIDER_TIMEOUT, provider.sign_out_url()).await {
        Ok(Some(url)) => (cookie, axum::Json(SignedOut { continue_at: url.into() })).into_response(),
        Ok(None) | Err(_) => (StatusCode::NO_CONTENT, cookie).into_response(),
    })
}

async fn view(app: &App, session: Session) -> Result<Response, Problem> {
    let Session { actor, expires_at, csrf_token } = session;
    let view = SessionView {
        user: users::read(app, &actor, actor.user_id.as_str()).await?.into(),
        organisation: OrganisationView {
            id: actor.organisation_id.to_string(),
            name: organisation::read(app, &actor).await?.name,
        },
        scope: actor.scope.map(TokenScope::from),
        csrf_token: csrf_token.reveal().to_owned(),
        expires_at: Time(expires_at),
    };
    Ok(([(header::CACHE_CONTROL, "no-store")], axum::Json(view)).into_response())
}

/// The cookies of a request, by name.
pub(super) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim().split_once('='))
}

/// The text of the session cookie, valid or not. Two of them would be of different paths, and one may be somebody else's.
pub(in crate::http) fn single_cookie(headers: &HeaderMap, public: Option<&BaseUrl>) -> Result<Secret, AppError> {
    let own = cookie_name(public);
    let mut found = cookies(headers).filter(|(name, _)| *name == own);
    match (found.next(), found.next()) {
        (None, _) => Err(AppError::Unauthenticated("Nobody is signed in. Sign in first.")),
        (Some((_, text)), None) => Ok(Secret::new(text.to_owned())),
        (Some(_), Some(_)) => Err(AppError::Unauthenticated(
            "The request has two session cookies. Delete this site's cookies in the browser, then sign in again.",
        )),
    }
}

fn cookie_name(public: Option<&BaseUrl>) -> &'static str {
    if public.is_some_and(BaseUrl::is_https) { HOST_COOKIE } else { COOKIE }
}

/// The cookie that begins a session in a browser, for as long as it lasts.
pub(super) fn session_cookie(app: &App, session: &Session, text: &Secret) -> String {
    let lifetime = session.expires_at.0.saturating_sub(app.now().0);
    let lifetime = Duration::from_millis(u64::try_from(lifetime).unwrap_or_default());
    set_cookie(text.reveal(), lifetime, app.outbound.public.as_ref())
}

/// The cookie is never sent with requests from other sites, and scripts cannot read it. Without https it is sent to `/ui` only; the
/// prefix of the other one requires the path `/`.
fn set_cookie(text: &str, lifetime: Duration, public: Option<&BaseUrl>) -> String {
    let name = cookie_name(public);
    let (path, secure) = if name == HOST_COOKIE { ("/", "; Secure") } else { ("/ui", "") };
    format!("{name}={text}; Path={path}; Max-Age={}; HttpOnly; SameSite=Strict{secure}", lifetime.as_secs())
}
