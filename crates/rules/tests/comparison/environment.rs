//! Generated environments: a feature's targeting with the audiences that it can use. Values come from small pools, so that
//! conditions often match users.

use crate::random::Random;
use flagservice_rules::{
    CompiledFeature, Condition, Key, Operator, Percentage, Rule, RuleAudience, Side, Split, Targeting, Value,
};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

const TEXT_ATTRIBUTES: [&str; 3] = ["country", "plan", "flagservice.user.id"];
const TEXTS: [&str; 8] = ["SE", "NO", "S", "se", "", "pro", "user-1", "18"];
const TEXT_OPERATORS: [Operator; 6] =
    [Operator::Equals, Operator::Contains, Operator::StartsWith, Operator::EndsWith, Operator::In, Operator::NotIn];
const PATTERNS: [&str; 3] = ["^S", "o$", "("];
const NUMBER_OPERATORS: [Operator; 7] = [
    Operator::Equals,
    Operator::In,
    Operator::NotIn,
    Operator::GreaterThan,
    Operator::GreaterThanOrEqual,
    Operator::LessThan,
    Operator::LessThanOrEqual,
];
const NUMBERS: [f64; 6] = [0.0, 9.0, 17.0, 18.0, 18.5, -3.0];
const DATES: [&str; 4] = ["2026-11-20", "2026-11-21", "2026-11-21T09:00:00+02:00", "2026-11-22T18:30:00.5Z"];
const VARIANTS: [&str; 4] = ["on", "off", "control", "other"];

/// A feature's targeting in an environment, with the audiences there.
#[derive(Clone)]
pub(crate) struct Environment {
    pub(crate) targeting: Targeting,
    pub(crate) audiences: BTreeMap<Key, Vec<Condition>>,
}

impl Environment {
    pub(crate) fn side(&self) -> Side<'_> {
        Side { targeting: &self.targeting, audiences: &self.audiences }
    }

    pub(crate) fn compiled(&self) -> CompiledFeature {
        CompiledFeature::compile(&key("checkout"), "1", &self.targeting, &self.audiences)
    }

    /// The rule's conditions, inline or saved; `None` if its audience does not exist.
    pub(crate) fn conditions(&self, rule: &Rule) -> Option<Vec<Condition>> {
        match &rule.audience {
            RuleAudience::Inline(conditions) => Some(conditions.clone()),
            RuleAudience::Saved(key) => self.audiences.get(key).cloned(),
        }
    }

    /// Moves the inline conditions of a rule to a saved audience of this environment.
    pub(crate) fn save(&mut self, index: usize) {
        let rule = &mut self.targeting.rules[index];
        if let RuleAudience::Inline(conditions) = &rule.audience {
            let saved = key(&format!("saved-{index}"));
            self.audiences.insert(saved.clone(), conditions.clone());
            rule.audience = RuleAudience::Saved(saved);
        }
    }

    /// The structure, computed independently of the comparison: without the names of rules, and with all conditions inline.
    pub(crate) fn structure(&self) -> Json {
        let rule = |rule: &Rule| {
            let audience = match &rule.audience {
                RuleAudience::Saved(key) if !self.audiences.contains_key(key) => json!({ "unknown": key }),
                RuleAudience::Saved(_) | RuleAudience::Inline(_) => json!(self.conditions(rule)),
            };
            json!({ "audience": audience, "splits": rule.splits })
        };
        let rules: Vec<_> = self.targeting.rules.iter().map(rule).collect();
        json!({ "enabled": self.targeting.enabled, "offVariant": self.targeting.off_variant, "rules": rules })
    }

    /// For messages.
    pub(crate) fn to_json(&self) -> Json {
        json!({ "targeting": self.targeting, "audiences": self.audiences })
    }
}

/// Parses a valid key.
pub(crate) fn key(text: &str) -> Key {
    Key::parse(text).unwrap()
}

/// The saved audiences of a project: shared ones, and those of the source or the target only.
pub(crate) struct Project {
    shared: BTreeMap<Key, Vec<Condition>>,
    source_only: BTreeMap<Key, Vec<Condition>>,
    target_only: BTreeMap<Key, Vec<Condition>>,
}

impl Project {
    pub(crate) fn new(random: &mut Random) -> Self {
        let mut project = Self { shared: BTreeMap::new(), source_only: BTreeMap::new(), target_only: BTreeMap::new() };
        for number in 0..5 {
            let audience = random.several(0, 3, condition);
            let scope = match random.below(3) {
                0 => &mut project.shared,
                1 => &mut project.source_only,
                _ => &mut project.target_only,
            };
            scope.insert(key(&format!("audience-{number}")), audience);
        }
        project
    }

    pub(crate) fn source(&self, random: &mut Random) -> Environment {
        environment(self.source_audiences(), random)
    }

    pub(crate) fn target(&self, random: &mut Random) -> Environment {
        environment(self.target_audiences(), random)
    }

    fn source_audiences(&self) -> BTreeMap<Key, Vec<Condition>> {
        self.shared.clone().into_iter().chain(self.source_only.clone()).collect()
    }

    pub(crate) fn target_audiences(&self) -> BTreeMap<Key, Vec<Condition>> {
        self.shared.clone().into_iter().chain(self.target_only.clone()).collect()
    }
}

fn environment(audiences: BTreeMap<Key, Vec<Condition>>, random: &mut Random) -> Environment {
    let targeting = Targeting {
        enabled: random.chance(85),
        off_variant: variant(random),
        rules: random.several(0, 4, |random| rule(&audiences, random)),
    };
    Environment { targeting, audiences }
}

pub(crate) fn variant(random: &mut Random) -> Key {
    key(random.pick(&VARIANTS))
}

fn rule(audiences: &BTreeMap<Key, Vec<Condition>>, random: &mut Random) -> Rule {
    let known: Vec<_> = audiences.keys().cloned().collect();
    let audience = match random.below(100) {
        0..3 => RuleAudience::Saved(key(random.pick(&["gone", "lost"]))),
        3..50 if !known.is_empty() => RuleAudience::Saved(random.pick(&known)),
        50..60 => RuleAudience::Inline(Vec::new()),
        _ => RuleAudience::Inline(random.several(1, 3, condition)),
    };
    Rule { name: name(random), audience, splits: splits(random) }
}

/// A name that people could give to a rule.
pub(crate) fn name(random: &mut Random) -> String {
    random.pick(&["", "Swedes", "a \"quoted\" one", "two\nlines", "\u{200f}ימין", "\u{1f600}"]).to_string()
}

fn splits(random: &mut Random) -> Vec<Split> {
    let first = random.below(VARIANTS.len());
    let shares = match random.below(4) {
        0 => vec![100_000],
        1 => vec![0, 100_000],
        2 => vec![50_000, 50_000],
        _ => {
            let cut = random.below(100_001) as u32;
            let rest = random.below((100_000 - cut) as usize + 1) as u32;
            vec![cut, rest, 100_000 - cut - rest]
        }
    };
    let split = |(index, share): (usize, u32)| Split {
        variant: key(VARIANTS[(first + index) % VARIANTS.len()]),
        percentage: Percentage::from_thousandths(share).unwrap(),
    };
    shares.into_iter().enumerate().map(split).collect()
}

/// A condition. One in twenty can never match.
pub(crate) fn condition(random: &mut Random) -> Condition {
    let text = |random: &mut Random| Value::Text(random.pick(&TEXTS).to_string());
    let number = |random: &mut Random| Value::Number(random.pick(&NUMBERS));
    let date = |random: &mut Random| Value::Text(random.pick(&DATES).to_string());
    let when = [Operator::Before, Operator::After];
    let (attribute, operator, values) = match random.below(20) {
        0..7 => (random.pick(&TEXT_ATTRIBUTES), random.pick(&TEXT_OPERATORS), random.several(1, 3, text)),
        7 => ("country", Operator::Matches, vec![Value::Text(random.pick(&PATTERNS).to_string())]),
        8..12 => ("age", random.pick(&NUMBER_OPERATORS), random.several(1, 2, number)),
        12..14 => ("beta", Operator::Equals, vec![Value::Boolean(random.chance(50))]),
        14 => ("signedUp", random.pick(&when), vec![date(random)]),
        15..17 => ("flagservice.date", random.pick(&when), vec![date(random)]),
        17..19 => ("flagservice.hourofday", random.pick(&NUMBER_OPERATORS), random.several(1, 2, number)),
        _ => ("age", Operator::from("near".to_owned()), random.several(0, 2, text)),
    };
    Condition { attribute: attribute.to_owned(), operator, values }
}
