//! One history.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use crate::defect::Defect;
use crate::figures::Figures;
use crate::plan::{DAY, Plan, Shape};
use crate::world::World;

/// In one of so many histories, the origin is away for a day.
const DAYS: u64 = 64;

/// What a history was.
pub struct Report {
    /// The hash of everything that happened.
    pub hash: u64,
    /// The invariants that did not hold.
    pub violations: Vec<String>,
    /// What was counted and measured.
    pub figures: Figures,
    /// How many edges and clients there were.
    pub shape: Shape,
    /// How long it was, in seconds.
    pub seconds: u64,
}

/// Runs the history of a seed. `is_full`: with 1,000 edges and a million clients.
pub fn run(seed: u64, is_full: bool, defect: Option<Defect>, is_traced: bool) -> Report {
    let mut random = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x005a_9e00);
    let small =
        Shape { first_level: random.u32(2..7), second_level: random.u32(24..90), clients: random.u32(1_000..3_000) };
    let shape = if is_full { Shape::FULL } else { small };
    let away = seed.is_multiple_of(DAYS).then_some(DAY);
    let plan = Plan::with_faults(seed, shape, away);
    let seconds = plan.end / crate::units::SECOND;
    let mut world = World::new(plan, defect, is_traced);
    world.run();
    Report { hash: world.hash(), violations: world.violations, figures: world.figures, shape, seconds }
}

impl Report {
    /// What is added up over histories.
    pub fn counts(&self) -> Map<String, Value> {
        let figures = &self.figures;
        let counts = json!({
            "edges": self.shape.first_level + self.shape.second_level,
            "clients": self.shape.clients,
            "seconds": self.seconds,
            "happenings": figures.happenings,
            "attempts": figures.attempts,
            "loads": figures.loads,
            "changes": figures.changes,
            "restores": figures.restores,
            "older_bundles": figures.older_bundles,
            "returns_to_an_epoch": figures.returns_to_an_epoch,
        });
        if let Value::Object(counts) = counts { counts } else { Map::new() }
    }
}
