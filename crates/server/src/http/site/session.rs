//! `/ui/session`: signing in to the administration pages with a personal access token, and out again.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{FromRef, FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::{Deserialize, Serialize};

use crate::app::resources::sessions::{self, Session};
use crate::app::resources::{organisation, users};
use crate::app::{App, AppError, BaseUrl};
use crate::http::api::users::UserView;
use crate::http::extract::json::Json;
use crate::http::extract::time::Time;
use crate::http::middleware::same_origin;
use crate::http::problem::Problem;
use crate::http::server::settings::Settings;
use crate::http::site::sign_in_limit::SignInLimit;
use crate::secret::Secret;

const COOKIE: &str = "flagservice-session";

/// What the pages send with each write.
pub const CSRF_HEADER: &str = "x-csrf-token";

/// What signing in needs to know.
#[derive(Clone)]
pub struct Door {
    app: Arc<App>,
    limit: Arc<SignInLimit>,
}

impl FromRef<Door> for Arc<App> {
    fn from_ref(door: &Door) -> Self {
        Self::clone(&door.app)
    }
}

/// Signing in and out.
pub fn router<S>(app: &Arc<App>, settings: &Settings) -> Router<S> {
    let limit = Arc::new(SignInLimit::new(&settings.trusted_proxies));
    let door = Door { app: Arc::clone(app), limit };
    Router::new().route("/ui/session", get(read).post(begin).delete(end)).with_state(door)
}

/// The text of the session's cookie, of a request from this service's own pages.
pub struct SessionText(pub Secret);

impl SessionText {
    /// Takes it from the request.
    ///
    /// # Errors
    /// A problem: the request comes from another site, or has no cookie, or is a write without the session's CSRF token.
    pub fn of(parts: &Parts, app: &App) -> Result<Self, Problem> {
        same_origin::check(parts, app.outbound.public.as_ref())?;
        let text = cookie(&parts.headers).ok_or(AppError::Unauthenticated("Nobody is signed in. Sign in first."))?;
        let given = parts.headers.get(CSRF_HEADER).and_then(|given| given.to_str().ok());
        if !parts.method.is_safe() && !given.is_some_and(|given| sessions::csrf_token(&text).is(given)) {
            let detail = "A change from the pages needs the header X-CSRF-Token with the csrfToken of its own session. \
                          Ask GET /ui/session for it.";
            return Err(Problem::new(StatusCode::FORBIDDEN, "csrf", detail));
        }
        Ok(Self(text))
    }
}

impl FromRequestParts<Door> for SessionText {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, door: &Door) -> Result<Self, Problem> {
        Self::of(parts, &door.app)
    }
}

/// Somebody on a page of this service who may try to sign in.
struct Visitor;

impl FromRequestParts<Door> for Visitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, door: &Door) -> Result<Self, Response> {
        same_origin::check(parts, door.app.outbound.public.as_ref()).map_err(Problem::into_response)?;
        door.limit.refusal(parts).map_or(Ok(Self), Err)
    }
}

/// What one signs in with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignIn {
    token: Secret,
}

/// Who is signed in, and what the pages need for writes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionView {
    user: UserView,
    organisation: OrganisationView,
    csrf_token: String,
    expires_at: Time,
}

#[derive(Serialize)]
struct OrganisationView {
    id: String,
    name: String,
}

async fn begin(
    State(app): State<Arc<App>>,
    _: Visitor,
    Json(SignIn { token }): Json<SignIn>,
) -> Result<Response, Problem> {
    let (session, text) = sessions::begin(&app, &token).await?;
    let lasts = session.expires_at.0.saturating_sub(app.now().0);
    let lasts = Duration::from_millis(u64::try_from(lasts).unwrap_or_default());
    let cookie = set_cookie(text.reveal(), lasts, app.outbound.public.as_ref());
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], view(&app, session).await?).into_response())
}

async fn read(State(app): State<Arc<App>>, SessionText(text): SessionText) -> Result<Response, Problem> {
    view(&app, sessions::find(&app, &text).await?).await
}

async fn end(State(app): State<Arc<App>>, SessionText(text): SessionText) -> Result<Response, Problem> {
    sessions::end(&app, &text).await?;
    let cookie = set_cookie("", Duration::ZERO, app.outbound.public.as_ref());
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

async fn view(app: &App, session: Session) -> Result<Response, Problem> {
    let Session { actor, expires_at, csrf_token } = session;
    let view = SessionView {
        user: users::read(app, &actor, actor.user_id.as_str()).await?.into(),
        organisation: OrganisationView {
            id: actor.organisation_id.to_string(),
            name: organisation::read(app, &actor).await?.name,
        },
        csrf_token: csrf_token.reveal().to_owned(),
        expires_at: Time(expires_at),
    };
    Ok(([(header::CACHE_CONTROL, "no-store")], axum::Json(view)).into_response())
}

fn cookie(headers: &HeaderMap) -> Option<Secret> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut cookies = lines.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
    cookies.find(|(name, _)| *name == COOKIE).map(|(_, text)| Secret::new(text.to_owned()))
}

/// The cookie goes to `/ui` alone, never with a request that another site has begun, and no script reads it.
fn set_cookie(text: &str, lasts: Duration, public: Option<&BaseUrl>) -> String {
    let secure = if public.is_some_and(BaseUrl::is_https) { "; Secure" } else { "" };
    format!("{COOKIE}={text}; Path=/ui; Max-Age={}; HttpOnly; SameSite=Strict{secure}", lasts.as_secs())
}
