//! `/api/v1/audit-log`: who changed what and when, with the state before and after.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::app::changes::audit;
use crate::domain::audit::{AuditEntry, AuditFilter};
use crate::http::api::access_tokens::TokenRefView;
use crate::http::extract::caller::Reader;
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::Query;
use crate::http::extract::time::Time;
use crate::http::problem::Problem;

/// An audit log entry.
#[derive(Serialize, ToSchema)]
#[schema(as = AuditEntry)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntryView {
    id: String,
    at: Time,
    user_id: String,
    /// The person's name at that time.
    user_name: String,
    /// The token that the person used; null for the command line and for single sign-on.
    token: Option<TokenRefView>,
    /// What was done, such as `targeting.update`.
    action: String,
    /// The changed resource: its path below `/api/v1`.
    resource: String,
    /// The resource before the change; null if it was created.
    #[schema(value_type = Option<BTreeMap<String, Value>>)]
    before: Option<Value>,
    /// The resource after the change; null if it was deleted.
    #[schema(value_type = Option<BTreeMap<String, Value>>)]
    after: Option<Value>,
}

impl From<AuditEntry> for AuditEntryView {
    fn from(entry: AuditEntry) -> Self {
        Self {
            id: entry.id.to_string(),
            at: Time(entry.at),
            user_id: entry.user_id.to_string(),
            user_name: entry.user_name,
            token: entry.token.map(TokenRefView::from),
            action: entry.action,
            resource: entry.resource,
            before: entry.before,
            after: entry.after,
        }
    }
}

/// Filters for the audit log.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct AuditQuery {
    /// Only changes of this resource and the resources below it, such as `projects/shop/features/new-checkout`.
    #[param(pattern = r"^[^\u0000]*$")]
    resource: Option<String>,
    /// Only changes by this person.
    #[param(pattern = r"^[^\u0000]*$")]
    user_id: Option<String>,
    /// Only this action, such as `targeting.update`, or all actions on a kind of resource, such as `targeting`.
    #[param(pattern = r"^[^\u0000]*$")]
    action: Option<String>,
    /// Only changes of targeting in this environment, and of edge keys and audiences that are limited to it. Combine with `resource` for
    /// the history of one feature.
    #[param(pattern = r"^[^\u0000]*$")]
    environment_key: Option<String>,
    /// Only entries from this time on.
    from: Option<Time>,
    /// Only entries before this time.
    to: Option<Time>,
}

/// Lists the organisation's audit log, newest first.
#[utoipa::path(
    get,
    path = "/audit-log",
    operation_id = "listAuditLog",
    tag = "Audit log",
    params(PageQuery, AuditQuery),
    responses((status = 200, body = List<AuditEntryView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Query(page): Query<PageQuery>,
    Query(query): Query<AuditQuery>,
) -> Result<axum::Json<List<AuditEntryView>>, Problem> {
    let filter = AuditFilter {
        resource: query.resource,
        user_id: query.user_id,
        action: query.action,
        environment: query.environment_key,
        from: query.from.map(|time| time.0),
        to: query.to.map(|time| time.0),
    };
    Ok(List::from_page(audit::list(&app, &caller, filter, &page.page()?).await?, AuditEntryView::from))
}
