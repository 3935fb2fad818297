//! What an edge key gives access to, as the commands show it.

use crate::domain::edge_key::EdgeKey;

/// The environments of a key, separated by commas.
pub(super) fn format_environments(key: &EdgeKey) -> String {
    match key.environments.as_deref() {
        None => "all".to_owned(),
        Some([]) => "none: deleted".to_owned(),
        Some(included) => included.iter().map(|(_, key)| key.as_str()).collect::<Vec<_>>().join(", "),
    }
}
