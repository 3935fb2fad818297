//! The caller of a request, as extractors.
//!
//! Below `/api/v1` the token identifies the caller, below `/ui/api/v1` the session; neither works in place of the other.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::header;
use axum::http::request::Parts;

use crate::app::{Actor, App, AppError};
use crate::domain::role::Role;
use crate::http::extract::scope::Route;
use crate::http::problem::Problem;
use crate::secret::Secret;

/// The person who is signed in. Only `site/ui_api.rs` adds it to a request.
#[derive(Clone)]
pub struct SignedIn(pub(in crate::http) Actor);

/// A person with a valid token, who may read.
pub struct Reader(pub Actor);

/// A person who may write, at least outside production.
pub struct Writer(pub Actor);

/// A person who may change production.
pub struct ProductionEditor(pub Actor);

/// An administrator.
pub struct Administrator(pub Actor);

macro_rules! caller {
    ($($name:ident => $role:expr),+) => {$(
        impl Deref for $name {
            type Target = Actor;

            fn deref(&self) -> &Actor {
                &self.0
            }
        }

        impl<S> FromRequestParts<S> for $name
        where
            Arc<App>: FromRef<S>,
            S: Send + Sync,
        {
            type Rejection = Problem;

            async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
                let app = Arc::<App>::from_ref(state);
                let mut actor = match parts.extensions.get::<SignedIn>() {
                    Some(SignedIn(actor)) => actor.clone(),
                    None => Actor::of_token(&app, &token(parts)?).await?,
                };
                actor.require($role)?;
                let route = Route::of(parts, state).await;
                actor.require_in_scope(route.need())?;
                actor.project_key = route.project().map(str::to_owned);
                Ok(Self(actor))
            }
        }
    )+};
}

caller!(
    Reader => Role::ReadOnly,
    Writer => Role::Editor,
    ProductionEditor => Role::ProductionEditor,
    Administrator => Role::Administrator
);

/// The token in `Authorization: Bearer …`.
pub(in crate::http) fn bearer(parts: &Parts) -> Option<&str> {
    let header = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok())?;
    let (_, token) = header.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))?;
    Some(token.trim())
}

fn token(parts: &Parts) -> Result<Secret, AppError> {
    let token = bearer(parts);
    let token = token.ok_or(AppError::Unauthenticated("Send a personal access token: Authorization: Bearer api-…."))?;
    Ok(Secret::new(token.to_owned()))
}
