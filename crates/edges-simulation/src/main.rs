//! Simulated histories of edges and clients at the internet's scale: seeded and repeatable, on simulated time, with the code of the
//! follower, of the protocol between edges, and of the browser client (docs/decisions/0042).

mod arena;
mod campaign;
mod defect;
mod figures;
mod histogram;
mod history;
mod measurements;
mod plan;
mod queue;
mod sizes;
mod snapshot;
mod units;
mod world;

use std::process::ExitCode;

use anyhow::{Context, bail};

use crate::campaign::Campaign;

const HELP: &str = "edges-simulation --histories N [--first SEED] [--seconds S] [--jobs N] [--defect NAME] [--twice] [--full]
    runs the histories of the seeds from SEED on (default 1), until there are N or S seconds have passed, and ends at the first in
    which an invariant does not hold. --defect plants a defect: then one has to be found. --twice runs each history twice. --full: each
    has 1,000 edges and a million clients.
edges-simulation --seed SEED [--defect NAME] [--full] [--trace]
    runs one history, and with --trace prints everything that happens in it.
edges-simulation --measure [--clients N]
    measures a tree of 1,000 edges and a million clients: how a change travels, and who comes back when after an outage.";

/// What the command line asks for.
#[derive(Default)]
struct Arguments {
    history: Option<u64>,
    is_traced: bool,
    is_measured: bool,
    clients: Option<u32>,
    campaign: Campaign,
}

fn arguments() -> anyhow::Result<Arguments> {
    let mut found = Arguments::default();
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let mut value = || given.next().with_context(|| format!("{name} needs a value"));
        match name.as_str() {
            "--seed" => found.history = Some(value()?.parse()?),
            "--trace" => found.is_traced = true,
            "--measure" => found.is_measured = true,
            "--clients" => found.clients = Some(value()?.parse()?),
            "--histories" => found.campaign.histories = value()?.parse()?,
            "--first" => found.campaign.first = value()?.parse()?,
            "--seconds" => found.campaign.seconds = Some(value()?.parse()?),
            "--jobs" => found.campaign.jobs = value()?.parse()?,
            "--defect" => found.campaign.defect = Some(value()?.parse()?),
            "--twice" => found.campaign.is_twice = true,
            "--full" => found.campaign.is_full = true,
            _ => bail!("{name} is unknown.\n{HELP}"),
        }
    }
    Ok(found)
}

fn main() -> anyhow::Result<ExitCode> {
    let Arguments { history, is_traced, is_measured, clients, campaign } = arguments()?;
    match history {
        _ if is_measured => measurements::run(clients),
        Some(seed) => Ok(campaign::run_alone(seed, campaign.is_full, campaign.defect, is_traced)),
        None => campaign.run(),
    }
}
