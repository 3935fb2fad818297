//! Simulated histories of the server: seeded and repeatable, with faults of disk, database, network, clocks and nodes. Each is one
//! process, because the standard library, tokio and the server count in statics.

mod campaign;
mod chance;
mod clock;
mod disk;
mod driver;
mod entropy;
mod history;
mod model;
mod randomness;
mod template;
mod trace;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};

use crate::campaign::Campaign;

const HELP: &str = "simulation --histories N [--first SEED] [--seconds S] [--jobs N] [--defect NAME] [--twice]
    runs the histories of the seeds from SEED on (default 1), until there are N or S seconds have passed, and ends at the first in
    which an invariant does not hold. --defect plants a defect: then one has to be found. --twice runs each history twice.
simulation --seed SEED [--defect NAME] [--trace]
    runs one history, and prints everything that happens in it.";

/// What the command line asks for.
#[derive(Default)]
struct Arguments {
    history: Option<u64>,
    template: Option<PathBuf>,
    trace: bool,
    campaign: Campaign,
}

fn arguments() -> anyhow::Result<Arguments> {
    let mut found = Arguments::default();
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let mut value = || given.next().with_context(|| format!("{name} needs a value"));
        match name.as_str() {
            "--seed" => found.history = Some(value()?.parse()?),
            "--template" => found.template = Some(value()?.into()),
            "--trace" => found.trace = true,
            "--histories" => found.campaign.histories = value()?.parse()?,
            "--first" => found.campaign.first = value()?.parse()?,
            "--seconds" => found.campaign.seconds = Some(value()?.parse()?),
            "--jobs" => found.campaign.jobs = value()?.parse()?,
            "--defect" => found.campaign.defect = Some(value()?.parse()?),
            "--twice" => found.campaign.twice = true,
            _ => bail!("{name} is unknown.\n{HELP}"),
        }
    }
    Ok(found)
}

fn main() -> anyhow::Result<ExitCode> {
    let Arguments { history, template, trace, campaign } = arguments()?;
    match (history, template) {
        (Some(seed), Some(template)) => campaign::run_history(&template, seed, campaign.defect, trace),
        (Some(seed), None) => campaign::run_alone(seed, campaign.defect, trace),
        (None, _) => campaign.run(),
    }
}
