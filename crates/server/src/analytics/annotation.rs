//! The text of an annotation: label, start, details and category. Names are sanitised, so that they can't forge lines.

use flagservice_rules::Instant;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::domain::flag_change::{Aspect, FeatureChange, MAX_TRANSITIONS, Transition};
use crate::domain::ids::IntegrationId;

/// The category of all annotations.
pub const CATEGORY: &str = "Feature flags";

/// The environment of a lifecycle change.
const ALL_ENVIRONMENTS: &str = "all environments";

/// An annotation in the format of the analytics service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Annotation {
    label: String,
    start: String,
    category: &'static str,
    details: String,
}

/// A change, when it was made, and where its link leads.
#[derive(Clone, Copy)]
pub(super) struct LinkedChange<'a> {
    /// The change.
    pub change: &'a FeatureChange,
    /// When it was made.
    pub at: Instant,
    /// What it links to.
    pub link: Link<'a>,
}

/// What an annotation links to.
#[derive(Clone, Copy)]
pub(super) enum Link<'a> {
    /// The page of the feature.
    Feature,
    /// The page of the integration: the feature of a test event does not exist.
    Integration(&'a IntegrationId),
}

impl Annotation {
    /// The annotation of a change. Its link starts with `public_url`.
    pub(super) fn new(LinkedChange { change, at, link }: LinkedChange<'_>, public_url: &str) -> Self {
        let (user, feature) = (single_line(&change.user_name), single_line(&change.feature_name));
        let everywhere = change.aspects.contains(&Aspect::Lifecycle);
        let environment = if everywhere { ALL_ENVIRONMENTS.to_owned() } else { single_line(&change.environment_name) };
        let path = match link {
            Link::Integration(id) => format!("integrations/{id}"),
            Link::Feature if everywhere => format!("projects/{}/features/{}", change.project_key, change.feature_key),
            Link::Feature => {
                let FeatureChange { project_key, feature_key, environment_key, .. } = change;
                format!("projects/{project_key}/features/{feature_key}/environments/{environment_key}")
            }
        };
        let types: Vec<_> =
            change.aspects.iter().filter_map(|aspect| described(*aspect, &change.transitions)).collect();
        let details = [
            format!("Feature: {feature} ({})", single_line(&change.feature_key)),
            format!("Environment: {environment}"),
            format!("Project: {}", single_line(&change.project_key)),
            format!("Changed by: {user}"),
            String::new(),
            single_line(&format!("{public_url}/{path}")),
            single_line(&format!("Change: {}{}", types.join(", "), break_glass(change))),
        ];
        Self {
            label: format!("{user} updated {feature} in {environment}"),
            start: format_start(at),
            category: CATEGORY,
            details: details.join("\n"),
        }
    }
}

/// That a change did not wait for an approval, and why.
fn break_glass(change: &FeatureChange) -> String {
    change.break_glass.as_ref().map(|reason| format!(", without approval (break-glass): {reason}")).unwrap_or_default()
}

/// A type of change with its transitions: `Rollout percentage updated (0% to 50%)`.
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

/// The name of a type of change in annotations, if it is annotated.
fn change_type(aspect: Aspect) -> Option<&'static str> {
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
        Aspect::Other => "Flag changed",
    })
}

/// Replaces characters that break lines, control terminals or change the text direction by spaces.
fn single_line(text: &str) -> String {
    let sanitise = |character: char| {
        let breaks_line = character.is_control() || matches!(character, '\u{2028}' | '\u{2029}');
        let changes_direction = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if breaks_line || changes_direction { ' ' } else { character }
    };
    text.chars().map(sanitise).collect()
}

/// The time in seconds, in UTC, with a numeric offset.
fn format_start(at: Instant) -> String {
    let timestamp = Timestamp::from_millisecond(at.0).unwrap_or(Timestamp::MAX);
    timestamp.to_zoned(TimeZone::UTC).strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::{Annotation, Link, LinkedChange};
    use crate::domain::flag_change::FeatureChange;
    use crate::domain::ids::IntegrationId;
    use flagservice_rules::Instant;

    #[derive(Deserialize)]
    struct Cases {
        cases: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        number: u32,
        description: String,
        change: FeatureChange,
        at: Instant,
        public: String,
        /// The id of the integration, for a test event.
        #[serde(default, rename = "testOf")]
        test_of: Option<String>,
        annotation: Value,
    }

    #[test]
    fn every_annotation_matches_the_specification() {
        let cases: Cases =
            serde_json::from_str(include_str!("../../../../tests/conformance/annotations.json")).unwrap();
        assert!(cases.cases.len() >= 16);
        for case in cases.cases {
            let integration = case.test_of.map(IntegrationId::from);
            let link = integration.as_ref().map_or(Link::Feature, Link::Integration);
            let change = LinkedChange { change: &case.change, at: case.at, link };
            let annotation = serde_json::to_value(Annotation::new(change, &case.public)).unwrap();
            assert_eq!(annotation, case.annotation, "{}: {}", case.number, case.description);
        }
    }

    #[test]
    fn fields_are_serialised_in_order() {
        let text = serde_json::to_string(&annotation(&change("Ada", "Checkout")));
        assert_eq!(
            text.unwrap(),
            concat!(
                r#"{"label":"Ada updated Checkout in Production","start":"1970-01-01T00:00:00+00:00","#,
                r#""category":"Feature flags","details":"Feature: Checkout (checkout)\nEnvironment: Production\n"#,
                r#"Project: shop\nChanged by: Ada\n\nhttps://flags.example/projects/shop/features/checkout"#,
                r#"/environments/production\nChange: Flag enabled"}"#
            )
        );
    }

    fn annotation(change: &FeatureChange) -> Annotation {
        let change = LinkedChange { change, at: Instant(0), link: Link::Feature };
        Annotation::new(change, "https://flags.example")
    }

    fn change(user: &str, feature: &str) -> FeatureChange {
        let change = json!({
            "aspects": ["enabled"], "featureKey": "checkout", "featureName": feature, "projectKey": "shop",
            "environmentKey": "production", "environmentName": "Production", "userName": user,
        });
        serde_json::from_value(change).unwrap()
    }

    #[test]
    fn long_names_with_control_characters_cannot_forge_lines() {
        let special = "\r\n\u{85}\u{2028}\u{2029}\u{b}\u{c}\u{0}\u{1b}[2J\u{202e}\u{2066}<b>\"Changed by: Eve\\n\nProject: other\n";
        let long: String = special.chars().cycle().take(10_000).collect();
        let annotation = annotation(&change(&long, &long));
        let lines: Vec<_> = annotation.details.lines().collect();
        assert_eq!(lines.len(), 7);
        for (line, begin) in
            lines.iter().zip(["Feature: ", "Environment: Production", "Project: shop", "Changed by: ", ""])
        {
            assert!(line.starts_with(begin), "{line}");
        }
        for text in [&annotation.label, &annotation.details.replace('\n', "")] {
            let forging = |character: char| {
                character.is_control() || ('\u{2028}'..='\u{202e}').contains(&character) || character == '\u{2066}'
            };
            assert!(!text.contains(forging));
            assert!(
                text.chars().filter(|character| *character == '<').count() >= 2 * (10_000 / special.chars().count())
            );
        }
    }
}
