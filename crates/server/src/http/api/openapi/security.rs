//! The personal access token in the document, and which operations need more than the role of every reader.

use utoipa::openapi::path::Operation;
use utoipa::openapi::security::SecurityRequirement;

use crate::domain::role::Role;

/// The name of the security scheme.
pub(super) const BEARER: &str = "personalAccessToken";

/// Whether some callers with a token may not call the operation.
pub(super) fn needs_role(operation: &Operation) -> bool {
    let readers = SecurityRequirement::new(BEARER, [Role::ReadOnly.as_str()]);
    operation.security.iter().flatten().all(|required| *required != readers)
}
