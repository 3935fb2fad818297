//! The text of an annotation: label, start, details and category. Pure; what people have named is data and forges no line.

use flagservice_rules::Instant;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::domain::flag_change::{Aspect, FeatureChange};

/// Under which annotations stand in the analytics project.
pub const CATEGORY: &str = "Feature flags";

/// What a change of the lifecycle names in the place of an environment.
const ALL_ENVIRONMENTS: &str = "all environments";

/// An annotation as the analytics service takes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Annotation {
    label: String,
    start: String,
    category: &'static str,
    details: String,
}

impl Annotation {
    /// The annotation of a change that was made at that time; `public` is the address of this service's pages.
    pub fn of(change: &FeatureChange, at: Instant, public: &str) -> Self {
        let (user, feature) = (line(&change.user_name), line(&change.feature_name));
        let everywhere = change.aspects.contains(&Aspect::Lifecycle);
        let environment = if everywhere { ALL_ENVIRONMENTS.to_owned() } else { line(&change.environment_name) };
        let mut link = format!("{public}/projects/{}/features/{}", change.project_key, change.feature_key);
        if !everywhere {
            link = format!("{link}/environments/{}", change.environment_key);
        }
        let types: Vec<_> = change.aspects.iter().filter_map(|aspect| type_of(*aspect)).collect();
        let details = [
            format!("Feature: {feature} ({})", line(&change.feature_key)),
            format!("Environment: {environment}"),
            format!("Project: {}", line(&change.project_key)),
            format!("Changed by: {user}"),
            String::new(),
            line(&link),
            format!("Change: {}", types.join(", ")),
        ];
        Self {
            label: format!("{user} updated {feature} in {environment}"),
            start: start(at),
            category: CATEGORY,
            details: details.join("\n"),
        }
    }
}

/// What annotations call a kind of change; none for what is not told of.
fn type_of(aspect: Aspect) -> Option<&'static str> {
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

/// A text as part of one line: what breaks lines, controls terminals or turns the direction of what follows is a blank.
fn line(text: &str) -> String {
    let harmless = |character: char| {
        let breaks = character.is_control() || matches!(character, '\u{2028}' | '\u{2029}');
        let turns = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if breaks || turns { ' ' } else { character }
    };
    text.chars().map(harmless).collect()
}

/// The time to the second, in UTC, with its offset in digits.
fn start(at: Instant) -> String {
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
    fn every_annotation_is_as_the_specification_has_it() {
        let cases: Cases =
            serde_json::from_str(include_str!("../../../../tests/conformance/annotations.json")).unwrap();
        assert!(cases.cases.len() >= 16);
        for case in cases.cases {
            let made = serde_json::to_value(Annotation::of(&case.change, case.at, &case.public)).unwrap();
            assert_eq!(made, case.annotation, "{}: {}", case.number, case.description);
        }
    }

    #[test]
    fn fields_come_in_their_order() {
        let text =
            serde_json::to_string(&Annotation::of(&change("Ada", "Checkout"), Instant(0), "https://flags.example"));
        assert_eq!(
            text.unwrap(),
            r#"{"label":"Ada updated Checkout in Production","start":"1970-01-01T00:00:00+00:00","category":"Feature flags","details":"Feature: Checkout (checkout)\nEnvironment: Production\nProject: shop\nChanged by: Ada\n\nhttps://flags.example/projects/shop/features/checkout/environments/production\nChange: Flag enabled"}"#
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
    fn names_of_ten_thousand_odd_characters_forge_no_line() {
        let odd = "\r\n\u{85}\u{2028}\u{2029}\u{b}\u{c}\u{0}\u{1b}[2J\u{202e}\u{2066}<b>\"Changed by: Eve\\n\nProject: other\n";
        let long: String = odd.chars().cycle().take(10_000).collect();
        let made = Annotation::of(&change(&long, &long), Instant(0), "https://flags.example");
        let lines: Vec<_> = made.details.lines().collect();
        assert_eq!(lines.len(), 7);
        for (line, begin) in
            lines.iter().zip(["Feature: ", "Environment: Production", "Project: shop", "Changed by: ", ""])
        {
            assert!(line.starts_with(begin), "{line}");
        }
        for text in [&made.label, &made.details.replace('\n', "")] {
            let forging = |character: char| {
                character.is_control() || ('\u{2028}'..='\u{202e}').contains(&character) || character == '\u{2066}'
            };
            assert!(!text.contains(forging));
            assert!(text.chars().filter(|character| *character == '<').count() >= 2 * (10_000 / odd.chars().count()));
        }
    }
}
