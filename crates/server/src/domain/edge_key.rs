//! Edge keys, with which edges identify themselves.

use flagservice_core::Key;
use flagservice_rules::Instant;

use crate::domain::ids::{EdgeKeyId, EnvironmentId, ProjectId};

/// What an edge key begins with.
pub const EDGE_KEY_PREFIX: &str = "edge-";

/// A key of a project for edges.
#[derive(Clone, Debug)]
pub struct EdgeKey {
    /// Its id.
    pub id: EdgeKeyId,
    /// Its project.
    pub project_id: ProjectId,
    /// For people.
    pub name: String,
    /// Of the key's text.
    pub hash: String,
    /// The key's last characters, by which people tell keys apart.
    pub hint: String,
    /// The environments that it gives access to, in their order; none: all of the project, also those added later. When all of them
    /// have been deleted, the list is empty, and the key gives access to nothing.
    pub environments: Option<Vec<(EnvironmentId, Key)>>,
    /// When it was made.
    pub created_at: Instant,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Instant>,
}

impl EdgeKey {
    /// Whether it gives access to an environment of its project.
    pub fn includes(&self, environment: &EnvironmentId) -> bool {
        self.environments.as_ref().is_none_or(|included| included.iter().any(|(id, _)| id == environment))
    }
}
