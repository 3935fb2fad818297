//! `/api/v1/users/{userId}/setup-link`: the link with which an invited person creates their own token.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::app::resources::setup_links;
use crate::http::extract::caller::Administrator;
use crate::http::extract::idempotency::{IdempotencyKey, OnceWithoutBody, Reply, once, text};
use crate::http::extract::parameters::Path;
use crate::http::extract::time::Time;
use crate::http::problem::Problem;

/// A set-up link.
#[derive(Serialize, ToSchema)]
#[schema(as = SetupLink)]
#[serde(rename_all = "camelCase")]
pub struct SetupLinkView {
    expires_at: Time,
    /// Send it to the person. It works once, and only the response that creates it shows it; without a public URL of the
    /// service it is a path.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

/// Creates a one-time link with which a person who cannot sign in creates their own token. Their earlier links stop working.
#[utoipa::path(
    post,
    path = "/users/{userId}/setup-link",
    operation_id = "createSetupLink",
    tag = "Users",
    params(("userId" = String, Path), IdempotencyKey),
    responses((status = 201, body = SetupLinkView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(user): Path<String>,
    OnceWithoutBody(request): OnceWithoutBody,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        let (link, secret) = setup_links::create(&mut operation, &user).await?;
        let mut view = SetupLinkView { expires_at: Time(link.expires_at), url: None };
        let stored = text(&view)?;
        // Browsers do not send the fragment, so that no log has the secret.
        let public = app.outbound.public.as_ref().map_or("", |url| url.as_str());
        view.url = Some(format!("{public}/set-up#{}", secret.reveal()));
        Ok(Reply::created_with_secret(operation, stored, text(&view)?))
    })
    .await
}
