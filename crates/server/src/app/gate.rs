//! The gate before every write to targeting: may it happen now, or must somebody approve it first?

use super::plan::Plan;
use super::{Actor, Result};
use crate::role::Role;

/// What the gate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// The change may be made.
    Open,
}

/// Checks the actor's right. No change needs an approval yet.
///
/// # Errors
/// [`super::AppError::Forbidden`] without the right to write, or to write to production.
pub fn check(actor: &Actor, plan: &Plan) -> Result<Passage> {
    actor.require(Role::Editor)?;
    let comes_or_goes = plan.comes_or_goes();
    if plan.targetings.iter().any(|change| change.environment.production && (comes_or_goes || change.is_edit())) {
        actor.require(Role::ProductionEditor)?;
    }
    Ok(Passage::Open)
}
