//! The arguments that name an experiment.

use clap::Args;

use crate::app::EnvironmentRef;
use crate::app::experiments::ExperimentRef;

/// An experiment on the command line.
#[derive(Args)]
pub(super) struct Address {
    /// Key of the project.
    project: String,
    /// Key of the environment.
    environment: String,
    /// Key of the experiment, as shown by `experiment list`.
    pub(super) experiment: String,
}

impl Address {
    pub(super) fn reference(&self) -> ExperimentRef<'_> {
        let Self { project, environment, experiment } = self;
        ExperimentRef { environment: EnvironmentRef { project, environment }, experiment }
    }
}
