//! The text of an annotation: label, start, details and category. Names are sanitised, so that they can't forge lines.

use flagservice_rules::Instant;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::domain::flag_change::{Aspect, FeatureChange};

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

/// A change, and when it was made.
#[derive(Clone, Copy)]
pub(super) struct DatedChange<'a> {
    /// The change.
    pub change: &'a FeatureChange,
    /// When it was made.
    pub at: Instant,
}

impl Annotation {
    /// The annotation of a change made at the given time. Its link starts with `public_url`.
    pub fn new(change: &FeatureChange, at: Instant, public_url: &str) -> Self {
        let (user, feature) = (single_line(&change.user_name), single_line(&change.feature_name));
        let everywhere = change.aspects.contains(&Aspect::Lifecycle);
        let environment = if everywhere { ALL_ENVIRONMENTS.to_owned() } else { single_line(&change.environment_name) };
        let mut link = format!("{public_url}/projects/{}/features/{}", change.project_key, change.feature_key);
        if !everywhere {
            link = format!("{link}/environments/{}", change.environment_key);
        }
        let types: Vec<_> = change.aspects.iter().filter_map(|aspect| change_type(*aspect)).collect();
        let details = [
            format!("Feature: {feature} ({})", single_line(&change.feature_key)),
            format!("Environment: {environment}"),
            format!("Project: {}", single_line(&change.project_key)),
            format!("Changed by: {user}"),
            String::new(),
            single_line(&link),
            format!("Change: {}", types.join(", ")),
        ];
        Self {
            label: format!("{user} updated {feature} in {environment}"),
            start: format_start(at),
            category: CATEGORY,
            details: details.join("\n"),
        }
    }
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

    use super::Annotation;
    use crate::domain::flag_change::FeatureChange;
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
        annotation: Value,
    }

    #[test]
    fn every_annotation_matches_the_specification() {
        let cases: Cases =
            serde_json::from_str(include_str!("../../../../tests/conformance/annotations.json")).unwrap();
        assert!(cases.cases.len() >= 16);
        for case in cases.cases {
            let annotation = serde_json::to_value(Annotation::new(&case.change, case.at, &case.public)).unwrap();
            assert_eq!(annotation, case.annotation, "{}: {}", case.number, case.description);
        }
    }

    #[test]
    fn fields_are_serialised_in_order() {
        let text =
            serde_json::to_string(&Annotation::new(&change("Ada", "Checkout"), Instant(0), "https://flags.example"));
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
        let annotation = Annotation::new(&change(&long, &long), Instant(0), "https://flags.example");
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
