//! `experiment list`: the experiments of an environment.

use clap::Args;

use crate::app::experiments;
use crate::app::{EnvironmentRef, Page};
use crate::command::operator::{Operator, OperatorArgs};
use crate::command::table;
use crate::command::token::format_time;
use crate::domain::experiments::Experiment;

/// List the experiments of an environment by key.
///
/// Example: flagservice-server experiment list shop production
#[derive(Args)]
pub(in crate::command) struct List {
    /// Key of the project.
    project: String,
    /// Key of the environment.
    environment: String,
    #[command(flatten)]
    operator: OperatorArgs,
}

impl List {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let environment = EnvironmentRef { project: &self.project, environment: &self.environment };
        let found = list_all(&operator, environment).await?;
        operator.service.stop().await;
        let row = |experiment: Experiment| {
            let started = experiment.run.as_ref().map(|run| run.started_at);
            let stopped = experiment.stop.as_ref().map(|stop| stop.at);
            let state = experiment.state.as_str().to_owned();
            let (key, feature) = (experiment.key.to_string(), experiment.feature_key.to_string());
            [key, state, feature, format_time(started), format_time(stopped), experiment.name]
        };
        let rows = found.into_iter().map(row).collect();
        table::print(["KEY", "STATE", "FEATURE", "STARTED", "STOPPED", "NAME"], rows)?;
        Ok(())
    }
}

async fn list_all(operator: &Operator, environment: EnvironmentRef<'_>) -> anyhow::Result<Vec<Experiment>> {
    let mut all = Vec::new();
    let mut page = Page::parse(None, Some("200"))?;
    loop {
        let found = experiments::list(operator.app(), &operator.actor, environment, &page).await?;
        all.extend(found.items);
        match found.next_cursor {
            Some(cursor) => page = Page::parse(Some(&cursor), Some("200"))?,
            None => return Ok(all),
        }
    }
}
