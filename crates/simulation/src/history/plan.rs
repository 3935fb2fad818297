//! When what happens in a history: made of the seed before it begins, so that one more choice of a node changes nothing of it.

use crate::chance::Chance;

/// What happens at some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody does something.
    Operation,
    /// A node dies; it starts again after so many milliseconds.
    Crash { node: usize, down: u64 },
    /// A node is stopped, as by an operator, and starts again soon.
    Stop { node: usize },
    /// Nothing of a node runs for so many milliseconds.
    Pause { node: usize, duration: u64 },
    /// The clock of a node jumps by so many milliseconds.
    Jump { node: usize, by: i64 },
}

/// A history.
#[derive(Debug)]
pub struct Plan {
    /// How many nodes share the database.
    pub nodes: usize,
    /// By how much their clocks are wrong when they begin, in milliseconds.
    pub skews: Vec<i64>,
    /// The share of wakes that never reach another node.
    pub lost_wakes: f64,
    /// What happens, with its time in milliseconds, in the order of times.
    pub events: Vec<(u64, Event)>,
    /// When everything heals.
    pub healed_at: u64,
}

/// How long a node is paused, in milliseconds: a third of the times for about a minute.
const PAUSE: u64 = 20_000;
const LONG_PAUSE: u64 = 65_000;

/// How far a clock jumps, in milliseconds.
const JUMP: u64 = 3_600_000;

impl Plan {
    /// The history of a seed.
    pub fn new(seed: u64) -> Self {
        let chance = &mut Chance::new(seed, "plan");
        let nodes = chance.pick(&[1, 1, 1, 2, 2, 2, 2, 2, 3, 3]).copied().unwrap_or(1);
        let mut skew = || if chance.happens(0.5) { 0 } else { signed(chance, 5_000) };
        let skews = (0..nodes).map(|_| skew()).collect();
        let lost_wakes = if chance.happens(0.5) { chance.share() } else { 0.0 };
        let healed_at = chance.number(20_000..=45_000);
        let mut events = Vec::new();
        // Half of the histories have quiet times between bursts.
        let bursts = chance.happens(0.5);
        for _ in 0..chance.number(12..=32) {
            let at = chance.number(2_000..=healed_at);
            events.push((if bursts { at - at % 8_000 + at % 900 } else { at }, Event::Operation));
        }
        let mut some = |chance: &mut Chance, most: u64, make: &dyn Fn(&mut Chance, usize) -> Event| {
            let count = if chance.happens(0.5) { chance.number(1..=most) } else { 0 };
            for _ in 0..count {
                let (at, node) = (chance.number(2_500..=healed_at), chance.number(1..=nodes as u64) - 1);
                let event = make(chance, usize::try_from(node).unwrap_or_default());
                events.push((at, event));
            }
        };
        some(chance, 3, &|chance, node| Event::Crash { node, down: chance.number(50..=8_000) });
        some(chance, 1, &|_, node| Event::Stop { node });
        some(chance, 2, &|chance, node| {
            let longest = if chance.happens(0.33) { LONG_PAUSE } else { PAUSE };
            Event::Pause { node, duration: chance.number(longest / 10..=longest) }
        });
        some(chance, 3, &|chance, node| Event::Jump { node, by: signed(chance, JUMP) });
        events.sort_by_key(|(at, _)| *at);
        Self { nodes, skews, lost_wakes, events, healed_at }
    }
}

/// A number between minus and plus this one, most often a small one.
fn signed(chance: &mut Chance, most: u64) -> i64 {
    let most = if chance.happens(0.5) { most } else { most.min(30_000) };
    let size = i64::try_from(chance.number(1..=most)).unwrap_or(1);
    if chance.happens(0.5) { size } else { -size }
}
