//! Names, comments and reasons in what integrations send: texts that are separated by NUL.
//!
//! - The details of an annotation are seven lines for every reader of lines, each with its own beginning; the label is one.
//! - Nothing in them controls a terminal or changes the direction of text.
//! - A message for Slack is one line with exactly one link, to our own page, and no other markup.

use flagservice_rules::Instant;
use flagservice_server::domain::changes::flag_change::{Announcement, FeatureChange};
use flagservice_server::fuzzing::{annotation, slack_message};
use serde_json::{Value, json};

const PUBLIC_URL: &str = "https://flags.example";
const ASPECTS: [&str; 6] = ["enabled", "disabled", "offVariant", "lifecycle", "rolloutPercentage", "ruleEdited"];

/// The beginnings of the lines of an annotation's details.
const LINES: [&str; 7] = [
    "Feature: ",
    "Environment: ",
    "Project: shop",
    "Changed by: ",
    "",
    "https://flags.example/projects/shop/features/f",
    "Change: ",
];

/// Panics if an invariant does not hold.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut texts = text.split('\0');
    let mut next = || texts.next().unwrap_or_default().to_owned();
    let aspect = ASPECTS.get(data.len() % ASPECTS.len()).copied().unwrap_or_default();
    let [feature, environment, user, of, from, to, reason, comment] = std::array::from_fn(|_| next());
    let mut change = json!({
        "aspects": [aspect], "featureKey": "f", "featureName": feature, "projectKey": "shop", "environmentKey": "live",
        "environmentName": environment, "userName": user,
        "transitions": [{ "aspect": aspect, "of": of, "from": from, "to": to }],
    });
    if !reason.is_empty() {
        insert(&mut change, "breakGlass", json!(reason));
    }
    let notice = json!({ "approvalId": "019a", "state": "pending", "requesterName": user, "comment": comment, "change": change });
    if let Ok(change) = serde_json::from_value::<FeatureChange>(change) {
        let announcement = Announcement::Feature(change);
        check_annotation(&annotation(&announcement, Instant(0), PUBLIC_URL));
        check_slack(&slack_message(&announcement, Instant(0), PUBLIC_URL), "features/f");
    }
    if let Ok(approval) = serde_json::from_value(notice) {
        check_slack(&slack_message(&Announcement::Approval { approval }, Instant(0), PUBLIC_URL), "approvals/019a");
    }
}

fn insert(object: &mut Value, name: &str, value: Value) {
    if let Some(object) = object.as_object_mut() {
        object.insert(name.to_owned(), value);
    }
}

fn check_annotation(annotation: &Value) {
    let text = |name: &str| annotation.get(name).and_then(Value::as_str).unwrap_or_default();
    let (label, details) = (text("label"), text("details"));
    assert_eq!(lines(label).len(), 1, "{label:?}");
    let lines = lines(details);
    assert_eq!(lines.len(), LINES.len(), "{details:?}");
    for (line, begin) in lines.iter().zip(LINES) {
        assert!(line.starts_with(begin), "{line:?} does not begin with {begin:?}");
        assert!(!begin.is_empty() || line.is_empty(), "{line:?} is not empty");
        assert!(!line.contains(changes_terminal_or_direction), "{line:?}");
    }
    assert!(!label.contains(changes_terminal_or_direction), "{label:?}");
}

fn check_slack(message: &Value, path: &str) {
    let text = message.get("text").and_then(Value::as_str).unwrap_or_default();
    assert_eq!(lines(text).len(), 1, "{text:?}");
    assert!(!text.contains(changes_terminal_or_direction), "{text:?}");
    assert_eq!(text.matches('<').count(), 1, "{text:?}");
    assert_eq!(text.matches('>').count(), 1, "{text:?}");
    assert!(text.contains(&format!("<{PUBLIC_URL}/projects/shop/{path}")), "{text:?}");
    let entities = ["&amp;", "&lt;", "&gt;"].map(|entity| text.matches(entity).count());
    assert_eq!(text.matches('&').count(), entities.iter().sum::<usize>(), "{text:?}");
}

/// The lines as those readers see them that know all line breaks of Unicode (UAX 14: BK, CR, LF, NL) and of Python's `splitlines`.
fn lines(text: &str) -> Vec<&str> {
    text.split(['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}']).collect()
}

/// The categories Cc of Unicode, and the explicit embeddings, overrides and isolates of UAX 9.
fn changes_terminal_or_direction(character: char) -> bool {
    matches!(character, '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
