//! The participations in experiments: which evaluations count, each reported once for each user, feature and variant.

use crate::goals::{Goals, participation};
use crate::variants::Variants;

/// The participations of one client.
#[derive(Debug, Default)]
pub struct Participations {
    /// The features for which an experiment runs in which the user takes part, by their index, if the service has sent them. After the key
    /// there may be a slash, and a text of the service that tells segments and runs apart: `checkout/2/7`. Participations say the same.
    pub experiments: Option<Variants>,
    /// The variant of each feature that the user was last shown.
    pub evaluated: Variants,
    /// The JSON of each participation that was reported, of all users.
    reported: Variants,
}

impl Participations {
    /// Adds what is due to the queue: the user was last shown the variant that they have `received`. Returns whether anything is due.
    pub fn report(&mut self, user_id: &str, received: &Variants, queue: &mut Goals) -> bool {
        let mut is_due = false;
        let Some(experiments) = &self.experiments else { return is_due };
        for (_, entry) in experiments.iter() {
            let end = entry.bytes().position(|byte| byte == b'/').unwrap_or(entry.len());
            let key = entry.get(..end).unwrap_or_default();
            if let Some(variant) = self.evaluated.get(key)
                && received.get(key) == Some(variant)
            {
                let json = participation(entry, variant, user_id);
                if self.reported.set(&json, "") {
                    queue.push(json);
                    is_due = true;
                }
            }
        }
        is_due
    }
}
