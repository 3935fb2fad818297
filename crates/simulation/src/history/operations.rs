//! What people do in a history: random operations, each with something in it that no other has, and what they were answered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::chance::Chance;
use crate::history::client::{Answer, Request, send};
use crate::history::node::Node;
use crate::template::{ENVIRONMENTS, FEATURES, Template, VARIANTS, webhook};
use crate::trace;

/// What was asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A targeting is replaced in part.
    Edit { feature: String, environment: String, targeting: Value },
    /// An approval is decided on: `approve`, `reject` or `cancel`.
    Decide { approval: String, verdict: &'static str },
    /// A feature is switched off without an approval.
    SwitchOff { feature: String, environment: String, reason: String },
    /// A targeting is copied from staging to production.
    Copy { feature: String, comment: String },
    /// A feature gets another description, of which no environment learns.
    Describe { feature: String, description: String },
    /// A feature is created.
    Create { feature: String },
    /// A webhook is switched on or off.
    Switch { webhook: usize, enabled: bool },
}

/// An operation, and what is known of its outcome.
#[derive(Clone, Debug)]
pub struct Operation {
    /// What was asked for.
    pub kind: Kind,
    /// When, in milliseconds since the history began.
    pub asked_at: u64,
    /// What was answered, and when; none if nothing was.
    pub answered: Option<(u64, Answer)>,
}

/// What is known of the outcome of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was acknowledged.
    Done,
    /// It waits for an approval.
    Pending,
    /// It was refused, and has changed nothing.
    Rejected,
    /// It is unknown.
    Unknown,
}

impl Operation {
    /// What is known of its outcome.
    pub fn outcome(&self) -> Outcome {
        match self.answered.as_ref().map(|(_, answer)| answer.status) {
            Some(200 | 201) => Outcome::Done,
            Some(202) => Outcome::Pending,
            // A stale approval is marked as such, which changes nothing of the features.
            Some(400..=499) => Outcome::Rejected,
            Some(_) | None => Outcome::Unknown,
        }
    }
}

/// All operations of a history, and what can be learned from their answers.
#[derive(Clone, Default)]
pub struct Operations(Arc<Mutex<Vec<Operation>>>);

impl Operations {
    /// In the order in which they were asked for.
    pub fn list(&self) -> MutexGuard<'_, Vec<Operation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ids of approvals that were requested.
    fn approvals(&self) -> Vec<String> {
        let list = self.list();
        let answers = list.iter().filter_map(|operation| operation.answered.as_ref());
        let ids = answers.filter_map(|(_, answer)| approval_of(&answer.body));
        ids.collect()
    }

    /// The newest version that somebody was answered for a targeting.
    fn version(&self, of_feature: &str, in_environment: &str) -> Option<u64> {
        let list = self.list();
        let of_targeting = list.iter().filter(|operation| match &operation.kind {
            Kind::Edit { feature, environment, .. } => feature == of_feature && environment == in_environment,
            Kind::Decide { .. }
            | Kind::SwitchOff { .. }
            | Kind::Copy { .. }
            | Kind::Describe { .. }
            | Kind::Create { .. }
            | Kind::Switch { .. } => false,
        });
        of_targeting.filter_map(|operation| operation.answered.as_ref()?.1.version).max()
    }

    /// Asks a node for something, and keeps what it answers.
    pub fn ask(&self, node: &Node, kind: Kind, request: Request) {
        let Some(running) = node.running() else { return };
        let place = {
            let mut list = self.list();
            list.push(Operation { kind: kind.clone(), asked_at: trace::now(), answered: None });
            list.len() - 1
        };
        trace::note(format_args!("node {} is asked for {place}: {kind:?}", node.number));
        let operations = self.clone();
        node.spawn(async move {
            let answer = send(running.router, request).await;
            trace::note(format_args!("answer to {place}: {} {:?}", answer.status, answer.version));
            if let Some(operation) = operations.list().get_mut(place) {
                operation.answered = Some((trace::now(), answer));
            }
        });
    }
}

/// The id of the approval that an answer says was requested.
pub fn approval_of(body: &Value) -> Option<String> {
    let of_edit = || (body.get("state")?.as_str()? == "pending").then(|| body.get("id")?.as_str()).flatten();
    let of_copy = || body.pointer("/results/0/approvalId")?.as_str();
    of_edit().or_else(of_copy).map(str::to_owned)
}

/// Makes up operations.
pub struct Person {
    chance: Chance,
    template: Template,
    next: u64,
    features: Vec<String>,
    switched: [bool; 2],
}

impl Person {
    /// The operations of a seed.
    pub fn new(seed: u64, template: Template) -> Self {
        let features = FEATURES.map(str::to_owned).to_vec();
        Self { chance: Chance::new(seed, "operations"), template, next: 0, features, switched: [true; 2] }
    }

    /// Asks the node for the next thing.
    pub fn act(&mut self, node: &Node, operations: &Operations) {
        self.next += 1;
        let (kind, request) = match self.chance.number(0..=99) {
            0..=39 => self.edit(operations),
            40..=64 => match self.decide(operations) {
                Some(decision) => decision,
                None => self.edit(operations),
            },
            65..=72 => self.switch_off(),
            73..=80 => self.copy(),
            81..=90 => self.describe(),
            91..=94 => self.create(),
            _ => self.switch(),
        };
        operations.ask(node, kind, request);
    }

    /// Switches a webhook on again that was switched off.
    pub fn switch_on(&mut self, node: &Node, operations: &Operations) {
        for webhook in [0, 1] {
            let (kind, request) = self.switch_to(webhook, true);
            operations.ask(node, kind, request);
        }
    }

    fn feature(&mut self) -> String {
        self.chance.pick(&self.features).cloned().unwrap_or_default()
    }

    fn token(&mut self) -> String {
        self.chance.pick(&self.template.tokens).cloned().unwrap_or_default()
    }

    fn request(&mut self, method: &str, path: &str) -> Request {
        Request::new(method, &format!("/api/v1{path}")).with_token(&self.token())
    }

    /// A targeting with a rule that no other has, for nobody, and one for everybody.
    fn targeting(&mut self) -> Value {
        let marker = format!("op-{}", self.next);
        let variant = self.chance.pick(&VARIANTS).copied().unwrap_or_default();
        let all_of = |variant: &str| json!([{ "variantKey": variant, "percentage": 100 }]);
        let nobody = json!([{ "attribute": "marker", "operator": "equals", "values": [marker] }]);
        json!({
            "enabled": self.chance.happens(0.8),
            "offVariantKey": "off",
            "rules": [
                { "name": marker, "conditions": nobody, "splits": all_of("on") },
                { "name": "everybody", "splits": all_of(variant) },
            ],
        })
    }

    fn edit(&mut self, operations: &Operations) -> (Kind, Request) {
        let feature = self.feature();
        let environment = if self.chance.happens(0.6) { "staging" } else { "production" }.to_owned();
        let targeting = self.targeting();
        let path = format!("/projects/shop/features/{feature}/environments/{environment}");
        // Sometimes of a version that is no longer the current one.
        let seen = if self.chance.happens(0.3) { operations.version(&feature, &environment) } else { None };
        let request = self.request("PUT", &path).if_match(seen).with_body(Some(targeting.clone()));
        (Kind::Edit { feature, environment, targeting }, request)
    }

    fn decide(&mut self, operations: &Operations) -> Option<(Kind, Request)> {
        let approvals = operations.approvals();
        // Mostly one of the newest, sometimes one that was decided long ago.
        let recent = approvals.len().saturating_sub(3);
        let from = if self.chance.happens(0.8) { approvals.get(recent..)? } else { &approvals };
        let approval = self.chance.pick(from)?.clone();
        let verdict = *self.chance.pick(&["approve", "approve", "approve", "approve", "reject", "cancel"])?;
        let path = format!("/projects/shop/approvals/{approval}/{verdict}");
        let request = self.request("POST", &path).with_body(Some(json!({})));
        Some((Kind::Decide { approval, verdict }, request))
    }

    fn switch_off(&mut self) -> (Kind, Request) {
        let (feature, reason) = (self.feature(), format!("op-{}", self.next));
        let environment = self.chance.pick(&ENVIRONMENTS).copied().unwrap_or_default().to_owned();
        let path = format!("/projects/shop/features/{feature}/environments/{environment}/break-glass");
        let request = self.request("POST", &path).with_body(Some(json!({ "reason": reason })));
        (Kind::SwitchOff { feature, environment, reason }, request)
    }

    fn copy(&mut self) -> (Kind, Request) {
        let (feature, comment) = (self.feature(), format!("op-{}", self.next));
        let body = json!({
            "source": "staging", "target": "production", "featureKeys": [feature], "comment": comment,
            "settings": { "enabled": true, "offVariantKey": true, "rules": true },
        });
        let request = self.request("POST", "/projects/shop/environments/copy").with_body(Some(body));
        (Kind::Copy { feature, comment }, request)
    }

    fn describe(&mut self) -> (Kind, Request) {
        let (feature, description) = (self.feature(), format!("op-{}", self.next));
        let path = format!("/projects/shop/features/{feature}");
        let request = self.request("PATCH", &path).with_body(Some(json!({ "description": description })));
        (Kind::Describe { feature, description }, request)
    }

    fn create(&mut self) -> (Kind, Request) {
        let feature = format!("new-{}", self.next);
        self.features.push(feature.clone());
        let body = json!({ "key": feature, "name": feature, "lifecycle": "Active", "variants": VARIANTS });
        let request = self.request("POST", "/projects/shop/features").with_body(Some(body));
        (Kind::Create { feature }, request)
    }

    fn switch(&mut self) -> (Kind, Request) {
        let webhook = usize::from(self.chance.happens(0.5));
        let enabled = self.switched.get(webhook).is_some_and(|enabled| !enabled);
        self.switch_to(webhook, enabled)
    }

    fn switch_to(&mut self, number: usize, enabled: bool) -> (Kind, Request) {
        if let Some(switched) = self.switched.get_mut(number) {
            *switched = enabled;
        }
        let [all, production] = &self.template.webhooks;
        let (id, filter) = match number {
            0 => (all, json!([])),
            _ => (production, json!([self.template.environments.get(1)])),
        };
        let [administrator, _] = &self.template.tokens;
        let request = Request::new("PUT", &format!("/api/v1/admin/integrations/outbound/{id}"));
        let request = request.with_token(administrator).with_body(Some(webhook(None, enabled, &filter)));
        (Kind::Switch { webhook: number, enabled }, request)
    }
}
