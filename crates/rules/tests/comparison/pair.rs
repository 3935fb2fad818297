//! Generated pairs of environments: equivalent ones that look different, ones with a single edit, and independent ones.

use crate::edit::Edit;
use crate::environment::{Environment, Project, name};
use crate::random::Random;
use flagservice_rules::RuleAudience;

/// How the target of a pair was generated. Of ten pairs four are equivalent, four have one edit and two are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The source with other names, and with conditions moved inline or to saved audiences.
    Equivalent,
    /// An equivalent target with one edit.
    OneEdit(Edit),
    /// Generated independently of the source.
    Independent,
}

/// How often an edit is attempted before another one is chosen.
const MAX_ATTEMPTS: usize = 20;

/// Two environments.
pub(crate) struct Pair {
    pub(crate) kind: Kind,
    pub(crate) source: Environment,
    pub(crate) target: Environment,
}

impl Pair {
    /// The pair with this number. The same seed gives the same pair.
    pub(crate) fn generate(seed: u64, number: u64) -> Self {
        let random = &mut Random::for_item(seed, number);
        let project = Project::new(random);
        let mut source = project.source(random);
        if number % 10 >= 8 {
            return Self { kind: Kind::Independent, target: project.target(random), source };
        }
        while number % 10 >= 4 && source.targeting.rules.is_empty() {
            source = project.source(random);
        }
        let mut target = equivalent_target(&source, &project, random);
        if number % 10 < 4 {
            return Self { kind: Kind::Equivalent, source, target };
        }
        // Go through all kinds of edits. If one repeatedly changes nothing, choose another.
        let mut edit = Edit::ALL[(number / 10) as usize % Edit::ALL.len()];
        let mut attempts = 0;
        while !edit.apply(&mut target, random) {
            attempts += 1;
            if attempts > MAX_ATTEMPTS {
                edit = random.pick(&Edit::ALL);
            }
        }
        Self { kind: Kind::OneEdit(edit), source, target }
    }
}

/// A target with the same structure.
fn equivalent_target(source: &Environment, project: &Project, random: &mut Random) -> Environment {
    let mut target = Environment { targeting: source.targeting.clone(), audiences: project.target_audiences() };
    for (index, rule) in source.targeting.rules.iter().enumerate() {
        let copy = &mut target.targeting.rules[index];
        if random.chance(70) {
            copy.name = name(random);
        }
        if let RuleAudience::Saved(key) = &rule.audience
            && let Some(conditions) = source.audiences.get(key)
            && (target.audiences.get(key) != Some(conditions) || random.chance(50))
        {
            copy.audience = RuleAudience::Inline(conditions.clone());
        }
        if random.chance(30) {
            target.save(index);
        }
    }
    target
}
