//! What is removed with a feature: each thing has an audit record of its own, and a running experiment keeps the feature.

use crate::app::changes::approvals::cancel_removed;
use crate::app::changes::audit::BeforeAfter;
use crate::app::experiments::{Place, record_experiment_audit, refuse_running};
use crate::app::{Operation, Result};
use crate::domain::feature::Feature;
use crate::domain::project::Project;
use crate::store::Connection;
use crate::store::changes::approvals;
use crate::store::experiments::records;
use crate::store::resources::environments;

/// Refuses to remove a feature with a running experiment.
///
/// # Errors
/// [`crate::app::AppError::InUse`] names the experiment.
pub(in crate::app) async fn check(connection: &mut Connection, feature: &Feature) -> Result<()> {
    refuse_running(&records::of_feature(connection, &feature.id).await?, &feature.key)
}

/// Records what is removed with a feature, apart from its targetings.
///
/// # Errors
/// When the database fails.
pub(super) async fn record(operation: &mut Operation<'_>, project: &Project, feature: &Feature) -> Result<()> {
    let connection = operation.write.connection().await?;
    for approval in approvals::waiting_of(connection, &feature.id).await? {
        cancel_removed(operation, project, approval).await?;
    }
    let connection = operation.write.connection().await?;
    for experiment in records::of_feature(connection, &feature.id).await? {
        let connection = operation.write.connection().await?;
        let Some(environment) = environments::get(connection, &experiment.environment_id).await? else { continue };
        let place = Place { project: project.clone(), environment };
        record_experiment_audit(operation, "experiment.delete", &place, BeforeAfter::deleted(&experiment)).await?;
    }
    Ok(())
}
