//! `experiment results`: what an experiment shows, as a table.

use clap::Args;

use crate::app::experiments::results::{self, Comparison, GoalResult, Outcome, Results};
use crate::command::experiment::address::Address;
use crate::command::operator::OperatorArgs;
use crate::command::output;
use crate::command::table;
use crate::domain::experiments::counts::GoalCount;

/// Show the results of an experiment that was started.
///
/// The interval is that of the difference from the control in percentage points. It holds at any time: look as often as you like.
///
/// Example: flagservice-server experiment results shop production banner-color
#[derive(Args)]
pub(in crate::command) struct ShowResults {
    #[command(flatten)]
    address: Address,
    #[command(flatten)]
    operator: OperatorArgs,
}

impl ShowResults {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let results = results::read(operator.app(), &operator.actor, self.address.reference()).await?;
        operator.service.stop().await;
        warn(&results);
        let rows = results.goals.iter().flat_map(|goal| rows(&results, goal)).collect();
        table::print(["GOAL", "VARIANT", "PARTICIPANTS", "REACHED", "RATE", "DIFFERENCE", "OUTCOME"], rows)?;
        Ok(())
    }
}

/// Says first what forbids to trust the results.
fn warn(results: &Results) {
    if results.split.as_ref().is_some_and(|split| split.is_broken) {
        output::note(format_args!(
            "The split is broken: users were not divided as the rules say. Do not trust these results."
        ));
    }
    if results.experiment.run.as_ref().is_some_and(|run| run.split.is_none()) {
        output::note(format_args!(
            "Rules split users in different ways, so users with different variants are different users, and nothing is compared."
        ));
    }
    if results.targeting_changed {
        output::note(format_args!(
            "The targeting was changed while it ran: what was counted before and after may not be comparable."
        ));
    }
}

fn rows(results: &Results, goal: &GoalResult) -> Vec<[String; 7]> {
    let row = |(variant, count): (&results::VariantResult, &GoalCount)| {
        let compared = goal.comparisons.iter().find(|comparison| comparison.variant == variant.variant);
        let rate = count.participants as f64 / variant.participants as f64;
        [
            goal.goal.key.clone(),
            variant.variant.to_string(),
            variant.participants.to_string(),
            count.participants.to_string(),
            if variant.participants == 0 { "-".to_owned() } else { format!("{:.1}%", 100.0 * rate) },
            compared.map_or_else(|| if variant.is_control { "control" } else { "-" }.to_owned(), format_difference),
            compared.map_or_else(String::new, |comparison| format_outcome(comparison.outcome).to_owned()),
        ]
    };
    results.variants.iter().zip(&goal.counts).map(row).collect()
}

fn format_difference(Comparison { difference, .. }: &Comparison) -> String {
    let points = |value: f64| format!("{:+.1}", 100.0 * value);
    let Some(estimate) = difference.estimate else { return "-".to_owned() };
    format!("{} ({} to {})", points(estimate), points(difference.lower), points(difference.upper))
}

fn format_outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::TooFew => "too few",
        Outcome::Undecided => "undecided",
        Outcome::Better => "better",
        Outcome::Worse => "worse",
    }
}
