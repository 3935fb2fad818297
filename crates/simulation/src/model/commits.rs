//! What has to hold after each commit: versions within an epoch never fall, and what is settled stays as it is.

use std::collections::BTreeMap;

use crate::model::stored::{Observer, StoredDelivery, Switch};

const WAITING: &str = "waiting";

/// What was seen after commits.
#[derive(Default)]
pub struct Commits {
    versions: BTreeMap<String, (String, i64)>,
    settled: BTreeMap<(String, i64), StoredDelivery>,
    /// The switches of the webhooks, and the last place of the outbox, each time.
    switches: Vec<(Vec<Switch>, i64)>,
    /// What does not hold.
    pub violations: Vec<String>,
}

impl Commits {
    /// Looks at the database.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn observe(&mut self, observer: &mut Observer) -> sqlx::Result<()> {
        for environment in observer.environments()? {
            let (key, now) = (environment.key, (environment.epoch, environment.version));
            let before = self.versions.insert(key.clone(), now.clone());
            if let Some(before) = before.filter(|before| before.0 == now.0 && before.1 > now.1) {
                self.violations.push(format!("the version of {key} fell from {} to {}", before.1, now.1));
            }
        }
        for delivery in observer.deliveries()? {
            let key = (delivery.integration.clone(), delivery.position);
            match self.settled.get(&key) {
                Some(settled) if *settled != delivery => {
                    let violation = format!("a settled delivery changed: {settled:?} became {delivery:?}");
                    self.violations.push(violation);
                    self.settled.insert(key, delivery);
                }
                Some(_) => {}
                None if delivery.state != WAITING => drop(self.settled.insert(key, delivery)),
                None => {}
            }
        }
        let seen = observer.switches()?;
        if self.switches.last() != Some(&seen) {
            self.switches.push(seen);
        }
        Ok(())
    }

    /// Whether an integration was on when this place of the outbox was written. Unknown if it was changed at about that time: several
    /// commits can be seen at once.
    pub fn was_on(&self, integration: &str, place: i64) -> Option<bool> {
        let after = self.switches.iter().position(|(_, last)| *last >= place)?;
        let switch = |seen: Option<&'_ (Vec<Switch>, i64)>| {
            seen?.0.iter().find(|switch| switch.integration == integration).cloned()
        };
        let before = switch(after.checked_sub(1).and_then(|before| self.switches.get(before)))?;
        (switch(self.switches.get(after)).as_ref() == Some(&before)).then_some(before.enabled)
    }
}
