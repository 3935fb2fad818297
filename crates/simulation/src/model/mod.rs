//! What has to hold in every history. It is read from the database with SQL of its own, from the answers that clients got and from what
//! destinations received; nothing of the server decides it.

pub mod annotations;
pub mod approvals;
pub mod changes;
pub mod commits;
pub mod stored;
pub mod streams;

use crate::history::operations::Operation;
use crate::model::commits::Commits;
use crate::model::stored::Stored;

/// What does not hold at the end of a history. All nodes have run for a while without faults.
pub fn violations(stored: &Stored, operations: &[Operation], commits: &Commits, webhooks: &[String; 2]) -> Vec<String> {
    let mut found = changes::violations(stored, operations);
    found.extend(approvals::violations(stored, operations));
    found.extend(annotations::violations(stored, commits, webhooks));
    found
}
