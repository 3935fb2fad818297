//! `/api/v1/organisation`: the caller's organisation; and `/api/v1/me`.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::resources::{organisation, users};
use crate::app::{App, Name, Operation};
use crate::domain::organisation::Organisation;
use crate::http::api::users::UserView;
use crate::http::extract::caller::{Administrator, Reader};
use crate::http::extract::json::Json;
use crate::http::extract::version::{IfMatch, Versioned};
use crate::http::problem::Problem;

/// An organisation.
#[derive(Serialize, ToSchema)]
#[schema(as = Organisation)]
pub struct OrganisationView {
    name: String,
}

/// Changes to an organisation. Missing fields stay the same.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrganisationEdit {
    name: Option<Name>,
}

fn versioned(organisation: Organisation) -> Versioned<OrganisationView> {
    Versioned { version: organisation.revision, view: OrganisationView { name: organisation.name } }
}

/// Reads the caller's organisation.
#[utoipa::path(
    get,
    path = "/organisation",
    operation_id = "readOrganisation",
    tag = "Organisation",
    responses((status = 200, body = OrganisationView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn read(State(app): State<Arc<App>>, caller: Reader) -> Result<Versioned<OrganisationView>, Problem> {
    Ok(versioned(organisation::read(&app, &caller).await?))
}

/// Renames the caller's organisation.
#[utoipa::path(
    patch,
    path = "/organisation",
    operation_id = "updateOrganisation",
    tag = "Organisation",
    params(IfMatch),
    request_body = OrganisationEdit,
    responses((status = 200, body = OrganisationView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn update(
    State(app): State<Arc<App>>,
    caller: Administrator,
    IfMatch(if_match): IfMatch,
    Json(edit): Json<OrganisationEdit>,
) -> Result<Versioned<OrganisationView>, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    let organisation = organisation::rename(&mut operation, edit.name, if_match).await?;
    operation.commit().await?;
    Ok(versioned(organisation))
}

/// Reads the caller's name and role.
#[utoipa::path(
    get,
    path = "/me",
    operation_id = "readCaller",
    tag = "Organisation",
    responses((status = 200, body = UserView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn me(State(app): State<Arc<App>>, caller: Reader) -> Result<Versioned<UserView>, Problem> {
    let user = users::read(&app, &caller, caller.user_id.as_str()).await?;
    Ok(crate::http::api::users::versioned(user))
}
