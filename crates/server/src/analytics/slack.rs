//! The text of a message for Slack, and for services that take the same messages: one line of mrkdwn with a link.

use serde::Serialize;

use crate::analytics::message::{Message, single_line};
use crate::domain::approval::ApprovalState;
use crate::domain::changes::flag_change::{Announcement, ApprovalNotice};

/// The most characters of a name, a comment or a reason.
const MOST: usize = 300;

/// The body of a request.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct SlackMessage {
    text: String,
}

impl SlackMessage {
    /// The message. Its link starts with `public_url`.
    pub(super) fn new(message: &Message<'_>, public_url: &str) -> Self {
        let change = message.change();
        let link = format!("<{}|{}>", escaped(&message.url(public_url)), shown(&change.feature_name));
        let what = shown(&message.changes());
        let place = format!("{link} in {} ({})", shown(&message.environment()), shown(&change.project_key));
        let person = shown(&change.user_name);
        let text = match message.announcement {
            Announcement::Feature(_) => {
                let reason = change.break_glass.as_deref();
                let reason = reason.map(|reason| format!(", without approval (break-glass): {}", shown(reason)));
                format!("{person} changed {place}: {what}{}", reason.unwrap_or_default())
            }
            Announcement::Approval { approval } => of_approval(approval, &person, &place, &what),
        };
        Self { text: if message.is_test() { format!("Test event: {text}") } else { text } }
    }
}

fn of_approval(approval: &ApprovalNotice, person: &str, place: &str, what: &str) -> String {
    let requester = shown(&approval.requester_name);
    let reason = approval.reason.as_deref().map(|reason| format!(" – {}", shown(reason))).unwrap_or_default();
    match approval.state {
        ApprovalState::Pending => {
            let comment = Some(&approval.comment).filter(|comment| !comment.is_empty());
            let comment = comment.map(|comment| format!(" – {}", shown(comment))).unwrap_or_default();
            format!("{person} requests an approval for {place}: {what}{comment}")
        }
        ApprovalState::Scheduled => {
            format!("{person} approved {requester}'s change of {place}, which is made later: {what}{reason}")
        }
        ApprovalState::Approved => format!("{person} approved {requester}'s change of {place}: {what}{reason}"),
        ApprovalState::Rejected => format!("{person} rejected {requester}'s change of {place}: {what}{reason}"),
        ApprovalState::Cancelled => format!("{person} withdrew {requester}'s change of {place}: {what}{reason}"),
        ApprovalState::Stale => format!("{requester}'s change of {place} can no longer be made: {what}{reason}"),
    }
}

/// A text of people, as part of a line: short, and without markup that Slack would act on, such as `<!channel>`.
fn shown(text: &str) -> String {
    let line = single_line(text);
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", escaped(line.get(..end).unwrap_or_default())),
        None => escaped(&line),
    }
}

/// The three characters that Slack treats as markup, as its documentation writes them.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use flagservice_rules::Instant;
    use serde_json::{Value, json};

    use super::SlackMessage;
    use crate::analytics::message::{Link, Message};

    fn text(announcement: Value) -> String {
        let announcement = &serde_json::from_value(announcement).unwrap();
        let message = Message { id: "", announcement, at: Instant(0), link: Link::Subject };
        SlackMessage::new(&message, "https://flags.example").text
    }

    fn change(user: &str, feature: &str) -> Value {
        json!({
            "aspects": ["rolloutPercentage"], "featureKey": "checkout", "featureName": feature, "projectKey": "shop",
            "environmentKey": "live", "environmentName": "Live", "userName": user,
            "transitions": [{ "aspect": "rolloutPercentage", "from": "0%", "to": "50%" }],
        })
    }

    #[test]
    fn a_change_is_one_line_with_a_link() {
        assert_eq!(
            text(change("Ada", "Checkout")),
            "Ada changed <https://flags.example/projects/shop/features/checkout/environments/live|Checkout> in Live \
             (shop): Rollout percentage updated (0% to 50%)"
        );
    }

    #[test]
    fn names_cannot_mention_link_or_break_the_line() {
        let text = text(change("<!channel> & Eve\n", "a|<https://evil.example|b>\u{202e}"));
        assert!(text.starts_with("&lt;!channel&gt; &amp; Eve  changed <https://flags.example/"), "{text}");
        assert!(text.contains("live|a|&lt;https://evil.example|b&gt; > in Live"), "{text}");
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn long_names_are_shortened() {
        let text = text(change("Ada", &"ä".repeat(1_000)));
        assert!(text.contains(&format!("|{}…> in Live", "ä".repeat(300))), "{text}");
    }

    #[test]
    fn each_event_of_an_approval_has_its_sentence() {
        for (state, sentence) in [
            ("pending", "Eve requests an approval for <…|Checkout> in Live (shop): Rollout … – Please"),
            ("approved", "Eve approved Ada's change of <…|Checkout> in Live (shop): Rollout … – Why"),
            ("rejected", "Eve rejected Ada's change of <…|Checkout> in Live (shop): Rollout … – Why"),
            ("cancelled", "Eve withdrew Ada's change of <…|Checkout> in Live (shop): Rollout … – Why"),
            ("stale", "Ada's change of <…|Checkout> in Live (shop) can no longer be made: Rollout … – Why"),
        ] {
            let text = text(json!({ "approval": {
                "approvalId": "019a", "state": state, "requesterName": "Ada", "comment": "Please", "reason": "Why",
                "change": change("Eve", "Checkout"),
            } }));
            let short = text.replace("https://flags.example/projects/shop/approvals/019a", "…");
            assert_eq!(short.replace("Rollout percentage updated (0% to 50%)", "Rollout …"), sentence);
        }
    }
}
