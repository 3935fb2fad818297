//! `/api/v1/users`: the people of the caller's organisation.

pub mod erasures;

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::resources::users;
use crate::app::{App, Edit, Name, Operation};
use crate::domain::role::Role;
use crate::domain::user::User;
use crate::http::extract::caller::{Administrator, Reader};
use crate::http::extract::idempotency::{IdempotencyKey, Once, Reply, once};
use crate::http::extract::json::Json;
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::version::{IfMatch, Versioned};
use crate::http::problem::Problem;

/// A person in the organisation.
#[derive(Serialize, ToSchema)]
#[schema(as = User)]
pub struct UserView {
    id: String,
    name: String,
    role: Role,
    /// Of people who sign in with the identity provider, which sets their name, role and email address at each sign-in.
    #[serde(skip_serializing_if = "Option::is_none")]
    identity: Option<IdentityView>,
}

/// What the identity provider says of a person.
#[derive(Serialize, ToSchema)]
#[schema(as = Identity)]
pub struct IdentityView {
    /// Missing if the provider has not sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
}

impl From<User> for UserView {
    fn from(user: User) -> Self {
        let identity = user.identity.map(|identity| IdentityView { email: identity.email });
        Self { id: user.id.to_string(), name: user.name, role: user.role, identity }
    }
}

pub(in crate::http) fn versioned(user: User) -> Versioned<UserView> {
    Versioned { version: user.revision, view: user.into() }
}

/// The fields of a new person.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewUser {
    name: Name,
    role: Role,
}

/// Changes to a person. Missing fields stay the same.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserEdit {
    name: Option<Name>,
    role: Option<Role>,
}

/// Lists the organisation's people.
#[utoipa::path(
    get,
    path = "/users",
    operation_id = "listUsers",
    tag = "Users",
    params(PageQuery),
    responses((status = 200, body = List<UserView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<List<UserView>>, Problem> {
    Ok(List::from_page(users::list(&app, &caller, &query.page()?).await?, UserView::from))
}

/// Adds a person.
#[utoipa::path(
    post,
    path = "/users",
    operation_id = "createUser",
    tag = "Users",
    params(IdempotencyKey),
    request_body = NewUser,
    responses((status = 201, body = UserView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Once { body, request }: Once<NewUser>,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        let user = users::create(&mut operation, body.name, body.role).await?;
        Reply::created(operation, versioned(user))
    })
    .await
}

/// Reads a person.
#[utoipa::path(
    get,
    path = "/users/{userId}",
    operation_id = "readUser",
    tag = "Users",
    params(("userId" = String, Path)),
    responses((status = 200, body = UserView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(id): Path<String>,
) -> Result<Versioned<UserView>, Problem> {
    Ok(versioned(users::read(&app, &caller, &id).await?))
}

/// Changes a person's name or role.
#[utoipa::path(
    patch,
    path = "/users/{userId}",
    operation_id = "updateUser",
    tag = "Users",
    params(("userId" = String, Path), IfMatch),
    request_body = UserEdit,
    responses((status = 200, body = UserView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn update(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(id): Path<String>,
    IfMatch(if_match): IfMatch,
    Json(edit): Json<UserEdit>,
) -> Result<Versioned<UserView>, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    let fields = users::UserEdit { name: edit.name, role: edit.role };
    let user = users::update(&mut operation, &id, Edit { fields, if_match }).await?;
    operation.commit().await?;
    Ok(versioned(user))
}

/// Deletes a person and revokes their tokens. What they requested or scheduled becomes stale.
#[utoipa::path(
    delete,
    path = "/users/{userId}",
    operation_id = "deleteUser",
    tag = "Users",
    params(("userId" = String, Path), IfMatch),
    responses((status = 204)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(id): Path<String>,
    IfMatch(if_match): IfMatch,
) -> Result<StatusCode, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    users::delete(&mut operation, &id, if_match).await?;
    operation.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
