//! Generated pairs of environments: equal ones that look different, ones that differ in a single place, and any two.

use crate::edit::Edit;
use crate::environment::{Environment, Project, name};
use crate::random::Random;
use flagservice_rules::RuleAudience;

/// How the target of a pair came about. Of ten pairs four are alike, four are near, two are any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// From the source by other names, and audiences written inline or saved.
    Alike,
    /// From such a target by one edit.
    Near(Edit),
    /// By itself.
    Any,
}

/// How often an edit is tried before another one is.
const TRIES: usize = 20;

/// Two environments.
pub(crate) struct Pair {
    pub(crate) kind: Kind,
    pub(crate) source: Environment,
    pub(crate) target: Environment,
}

impl Pair {
    /// The pair of this number: the same for the same seed.
    pub(crate) fn generate(seed: u64, number: u64) -> Self {
        let random = &mut Random::of(seed, number);
        let project = Project::new(random);
        let mut source = project.source(random);
        if number % 10 >= 8 {
            return Self { kind: Kind::Any, target: project.target(random), source };
        }
        while number % 10 >= 4 && source.targeting.rules.is_empty() {
            source = project.source(random);
        }
        let mut target = alike(&source, &project, random);
        if number % 10 < 4 {
            return Self { kind: Kind::Alike, source, target };
        }
        // Every kind of edit has its turn; where it cannot be made at some random places, another one that can.
        let mut edit = Edit::ALL[(number / 10) as usize % Edit::ALL.len()];
        let mut tries = 0;
        while !edit.make(&mut target, random) {
            tries += 1;
            if tries > TRIES {
                edit = random.pick(&Edit::ALL);
            }
        }
        Self { kind: Kind::Near(edit), source, target }
    }
}

/// A target of the same structure.
fn alike(source: &Environment, project: &Project, random: &mut Random) -> Environment {
    let mut target = Environment { targeting: source.targeting.clone(), audiences: project.target_audiences() };
    for (place, rule) in source.targeting.rules.iter().enumerate() {
        let twin = &mut target.targeting.rules[place];
        if random.chance(70) {
            twin.name = name(random);
        }
        if let RuleAudience::Saved(key) = &rule.audience
            && let Some(conditions) = source.audiences.get(key)
            && (target.audiences.get(key) != Some(conditions) || random.chance(50))
        {
            twin.audience = RuleAudience::Inline(conditions.clone());
        }
        if random.chance(30) {
            target.save(place);
        }
    }
    target
}
