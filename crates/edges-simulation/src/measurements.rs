//! Measures a full tree without random faults: how a change travels, who comes back when after an outage, and how long messages are.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::figures::{Figures, client_window};
use crate::histogram::Histogram;
use crate::plan::{Operation, Plan, Shape};
use crate::sizes;
use crate::units::{Micros, ORIGIN, SECOND};
use crate::world::World;

/// All pages open within this time.
const OPENING: Micros = 60 * SECOND;

/// An outage begins so long after the last page has opened.
const BEFORE: Micros = 30 * SECOND;

/// The shares of which percentiles are shown.
const SHARES: [f64; 13] = [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 1.0];

/// Prints all measurements, as JSON.
///
/// # Errors
/// When a message cannot be made.
pub fn run(clients: Option<u32>) -> anyhow::Result<ExitCode> {
    let shape = Shape { clients: clients.unwrap_or(Shape::FULL.clients), ..Shape::FULL };
    let sizes = sizes::measure()?;
    let result = json!({
        "shape": { "firstLevel": shape.first_level, "secondLevel": shape.second_level, "clients": shape.clients },
        "sizes": sizes,
        "propagation": propagation(shape),
        "origin": outage(shape, ORIGIN..ORIGIN + 1, 600 * SECOND),
        "firstLevel": outage(shape, 1..2, 60 * SECOND),
        "all": outage(shape, 1..shape.first_level + shape.second_level + 1, 60 * SECOND),
        "clientWindowMs": client_window(60 * SECOND) / 1_000.0,
    });
    println!("{result}");
    Ok(ExitCode::SUCCESS)
}

fn measured(plan: Plan) -> Figures {
    let mut world = World::new(plan, None, false);
    world.run();
    world.figures
}

/// Ten changes, one every four seconds.
fn propagation(shape: Shape) -> Value {
    let mut plan = Plan::calm(1, shape, OPENING);
    for number in 0..10 {
        plan.add(OPENING + BEFORE + number * 4 * SECOND, Operation::Change);
    }
    plan.end = OPENING + BEFORE + 50 * SECOND;
    let figures = measured(plan);
    let percentiles = |histogram: &Histogram| {
        let shares: Vec<_> = SHARES.iter().map(|share| json!([share, histogram.percentile(*share)])).collect();
        json!({ "count": histogram.total(), "percentiles": shares })
    };
    let [_, first, second] = &figures.to_edges;
    json!({ "firstLevel": percentiles(first), "secondLevel": percentiles(second), "clients": percentiles(&figures.to_clients) })
}

/// Nodes are away for so long. Bins are those of tenths of a second from the begin of the outage on.
fn outage(shape: Shape, nodes: std::ops::Range<u32>, away: Micros) -> Value {
    let mut plan = Plan::calm(1, shape, OPENING).with_own_addresses();
    let begin = OPENING + BEFORE;
    plan.measured_from = begin;
    for node in nodes {
        plan.add(begin, Operation::End { node, is_dark: false });
        plan.add(begin + away, Operation::Start { node, is_wiped: false });
    }
    plan.end = begin + away + 70 * SECOND;
    let figures = measured(plan);
    let [_, first, second] = &figures.edge_connections;
    json!({
        "awaySeconds": away / SECOND,
        "attemptsAtOrigin": figures.attempts_at_origin,
        "firstLevel": first,
        "secondLevel": second,
        "streamRequests": figures.stream_requests,
        "clients": figures.client_returns,
    })
}
