//! This process: its background tasks, and how it stops.

pub mod background_tasks;
pub mod drain;
pub mod supervision;

use crate::node::background_tasks::BackgroundTasks;
use crate::node::drain::Drain;

/// What every node has, with or without a database.
#[derive(Default)]
pub struct Node {
    /// How it stops.
    pub drain: Drain,
    /// What runs beside requests.
    pub background_tasks: BackgroundTasks,
}
