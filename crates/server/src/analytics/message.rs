//! What is sent to a destination, whatever its form: an announcement, its time and its link, and words for changes.

use flagservice_rules::Instant;

use crate::domain::changes::flag_change::{Announcement, Aspect, FeatureChange, MAX_TRANSITIONS, Transition};
use crate::domain::ids::IntegrationId;

/// The environment of a change of the feature itself.
pub(super) const ALL_ENVIRONMENTS: &str = "all environments";

/// An announcement with its id, when it was made, and where its link leads.
#[derive(Clone, Copy)]
pub(super) struct Message<'a> {
    /// The same for each attempt to send it, and for nothing else.
    pub id: &'a str,
    /// What is announced.
    pub announcement: &'a Announcement,
    /// When the change was made, or the approval requested or decided.
    pub at: Instant,
    /// What it links to.
    pub link: Link<'a>,
}

/// What a message links to.
#[derive(Clone, Copy)]
pub(super) enum Link<'a> {
    /// The page of the feature or the approval.
    Subject,
    /// The page of the integration: the feature of a test event does not exist.
    Integration(&'a IntegrationId),
}

impl Message<'_> {
    /// What changed, or would change after an approval.
    pub(super) fn change(&self) -> &FeatureChange {
        self.announcement.change()
    }

    /// Whether it is a test event.
    pub(super) fn is_test(&self) -> bool {
        matches!(self.link, Link::Integration(_))
    }

    /// The name of the environment.
    pub(super) fn environment(&self) -> String {
        if self.change().is_everywhere() {
            ALL_ENVIRONMENTS.to_owned()
        } else {
            single_line(&self.change().environment_name)
        }
    }

    /// The address of the page that it links to. It starts with `public_url`.
    pub(super) fn url(&self, public_url: &str) -> String {
        let FeatureChange { project_key, feature_key, environment_key, .. } = self.change();
        let path = match (self.link, self.announcement) {
            (Link::Integration(id), _) => format!("integrations/{id}"),
            (Link::Subject, Announcement::Approval { approval }) => {
                format!("projects/{project_key}/approvals/{}", approval.approval_id)
            }
            (Link::Subject, Announcement::Feature(change)) if change.is_everywhere() => {
                format!("projects/{project_key}/features/{feature_key}")
            }
            (Link::Subject, Announcement::Feature(_)) => {
                format!("projects/{project_key}/features/{feature_key}/environments/{environment_key}")
            }
        };
        single_line(&format!("{public_url}/{path}"))
    }

    /// The types of change with their transitions: `Rollout percentage updated (0% to 50%)`.
    pub(super) fn changes(&self) -> String {
        let FeatureChange { aspects, transitions, .. } = self.change();
        let described: Vec<_> = aspects.iter().filter_map(|aspect| described(*aspect, transitions)).collect();
        described.join(", ")
    }
}

fn described(aspect: Aspect, transitions: &[Transition]) -> Option<String> {
    let name = change_type(aspect)?;
    let mut shown: Vec<_> = transitions
        .iter()
        .take(MAX_TRANSITIONS)
        .filter(|transition| transition.aspect == aspect)
        .map(|Transition { of, from, to, .. }| format!("{of} {from} to {to}").trim_start().to_owned())
        .collect();
    if transitions.iter().skip(MAX_TRANSITIONS).any(|transition| transition.aspect == aspect) {
        shown.push("and others".to_owned());
    }
    Some(if shown.is_empty() { name.to_owned() } else { format!("{name} ({})", shown.join(", ")) })
}

/// The name of a type of change, if it is announced.
pub(super) fn change_type(aspect: Aspect) -> Option<&'static str> {
    Some(match aspect {
        Aspect::Created => return None,
        Aspect::Lifecycle => "Lifecycle status changed",
        Aspect::Enabled => "Flag enabled",
        Aspect::Disabled => "Flag disabled",
        Aspect::OffVariant => "Off variant changed",
        Aspect::RuleAdded => "Targeting rule added",
        Aspect::RuleEdited => "Targeting rule edited",
        Aspect::RuleRemoved => "Targeting rule removed",
        Aspect::RolloutPercentage => "Rollout percentage updated",
        Aspect::Settings => "Feature settings changed",
        Aspect::Deleted => "Feature deleted",
        Aspect::Other => "Flag changed",
    })
}

/// Replaces characters that break lines, control terminals or change the text direction by spaces.
pub(super) fn single_line(text: &str) -> String {
    let sanitise = |character: char| {
        let breaks_line = character.is_control() || matches!(character, '\u{2028}' | '\u{2029}');
        let changes_direction = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if breaks_line || changes_direction { ' ' } else { character }
    };
    text.chars().map(sanitise).collect()
}
