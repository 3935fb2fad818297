//! The text of an annotation: label, start, details and category. Names are sanitised, so that they can't forge lines.

use flagservice_rules::Instant;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::analytics::message::{Message, single_line};
use crate::domain::changes::flag_change::FeatureChange;

/// The category of all annotations.
pub const CATEGORY: &str = "Feature flags";

/// An annotation in the format of the analytics service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Annotation {
    label: String,
    start: String,
    category: &'static str,
    details: String,
}

impl Annotation {
    /// The annotation of a change. Its link starts with `public_url`.
    pub(super) fn new(message: &Message<'_>, public_url: &str) -> Self {
        let change = message.change();
        let (user, feature) = (single_line(&change.user_name), single_line(&change.feature_name));
        let environment = message.environment();
        let details = [
            format!("Feature: {feature} ({})", single_line(&change.feature_key)),
            format!("Environment: {environment}"),
            format!("Project: {}", single_line(&change.project_key)),
            format!("Changed by: {user}"),
            String::new(),
            message.url(public_url),
            single_line(&format!("Change: {}{}", message.changes(), break_glass(change))),
        ];
        Self {
            label: format!("{user} updated {feature} in {environment}"),
            start: format_start(message.at),
            category: CATEGORY,
            details: details.join("\n"),
        }
    }
}

/// That a change did not wait for an approval, and why.
fn break_glass(change: &FeatureChange) -> String {
    change.break_glass.as_ref().map(|reason| format!(", without approval (break-glass): {reason}")).unwrap_or_default()
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
    use crate::analytics::message::{Link, Message};
    use crate::domain::changes::flag_change::{Announcement, FeatureChange};
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
            let link = integration.as_ref().map_or(Link::Subject, Link::Integration);
            let announcement = &Announcement::Feature(case.change);
            let message = Message { id: "", announcement, at: case.at, link };
            let annotation = serde_json::to_value(Annotation::new(&message, &case.public)).unwrap();
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
        let announcement = &Announcement::Feature(change.clone());
        let message = Message { id: "", announcement, at: Instant(0), link: Link::Subject };
        Annotation::new(&message, "https://flags.example")
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
