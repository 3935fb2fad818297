//! Entries of the audit log.

use std::collections::BTreeSet;

use flagservice_rules::Instant;
use serde_json::Value;

use crate::domain::access_token::TokenRef;
use crate::domain::ids::{AuditId, OrganisationId, UserId};

/// The field of a state, at any depth, that names an environment.
const ENVIRONMENT: &str = "environmentKey";

/// An entry to be kept.
pub struct NewAuditEntry<'a> {
    /// Its id.
    pub id: AuditId,
    /// The organisation in which it happened.
    pub organisation_id: &'a OrganisationId,
    /// When.
    pub at: Instant,
    /// Who.
    pub user_id: &'a UserId,
    /// The name that the person had then.
    pub user_name: &'a str,
    /// The token that the person used; none for the operator.
    pub token: Option<&'a TokenRef>,
    /// What was done, e.g. `targeting.update`.
    pub action: &'a str,
    /// To what: the path of the resource below `/api/v1`.
    pub resource: &'a str,
    /// The resource before; none when it was created.
    pub before: Option<&'a Value>,
    /// The resource after; none when it was deleted.
    pub after: Option<&'a Value>,
}

/// An entry as it is read.
pub struct AuditEntry {
    /// Its id; later entries have greater ones.
    pub id: AuditId,
    /// When.
    pub at: Instant,
    /// Who.
    pub user_id: UserId,
    /// The name that the person had then.
    pub user_name: String,
    /// The token that the person used; none for the operator, and in entries of earlier releases.
    pub token: Option<TokenRef>,
    /// What was done.
    pub action: String,
    /// To what.
    pub resource: String,
    /// The resource before; none when it was created.
    pub before: Option<Value>,
    /// The resource after; none when it was deleted.
    pub after: Option<Value>,
}

/// Which entries are asked for.
#[derive(Default)]
pub struct AuditFilter {
    /// Only of this resource and of those below it.
    pub resource: Option<String>,
    /// Only of this person.
    pub user_id: Option<String>,
    /// Only this action, or those on this kind of resource: `targeting` for all that begin with `targeting.`.
    pub action: Option<String>,
    /// Only what changed targeting in the environment of this key.
    pub environment: Option<String>,
    /// Only from this instant on.
    pub from: Option<Instant>,
    /// Only before this instant.
    pub to: Option<Instant>,
}

/// Whether a state is of something that belongs to an environment whose key it does not name, as earlier releases wrote it of
/// audiences.
pub fn hides_environment(state: &Value) -> bool {
    state.get("environmentId").is_some_and(Value::is_string) && state.get(ENVIRONMENT).is_none()
}

/// Collects the keys of the environments that a state names.
pub fn collect_environments<'a>(state: &'a Value, environments: &mut BTreeSet<&'a str>) {
    match state {
        Value::Object(fields) => {
            environments.extend(fields.get(ENVIRONMENT).and_then(Value::as_str));
            fields.values().for_each(|value| collect_environments(value, environments));
        }
        Value::Array(values) => values.iter().for_each(|value| collect_environments(value, environments)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
