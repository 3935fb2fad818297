//! The settings of `serve` for how long data is kept.

use std::str::FromStr;
use std::time::Duration;

use clap::{Args, value_parser};

use crate::app::App;
use crate::app::resources::access_tokens::Expiry;
use crate::domain::retention::Retention;

/// The word for no end.
const FOREVER: &str = "forever";

/// The most days: a hundred years.
const MAX_DAYS: u64 = 36_500;

/// The longest session and the longest time for which answers are kept, in hours: a week.
const MAX_HOURS: u64 = 168;

// The defaults are those of `Retention`, in words; a test compares them.
#[derive(Args)]
pub(super) struct RetentionArgs {
    /// Days after which entries of the audit log are deleted, or `forever`.
    #[arg(long, env = "FLAGSERVICE_AUDIT_RETENTION_DAYS", value_name = "DAYS", default_value = FOREVER)]
    audit_retention_days: Days,
    /// Days after which changes are deleted that all nodes and integrations have read, or `forever`.
    #[arg(long, env = "FLAGSERVICE_OUTBOX_RETENTION_DAYS", value_name = "DAYS", default_value = "7")]
    outbox_retention_days: Days,
    /// Days after which goals are deleted, or `forever`.
    #[arg(long, env = "FLAGSERVICE_GOAL_RETENTION_DAYS", value_name = "DAYS", default_value = "90")]
    goal_retention_days: Days,
    /// Days after which completed deliveries are deleted, or `forever`. Of each integration the newest 1,000 are kept at most.
    #[arg(long, env = "FLAGSERVICE_DELIVERY_RETENTION_DAYS", value_name = "DAYS", default_value = "30")]
    delivery_retention_days: Days,
    /// Days after which approvals are deleted that were decided, or `forever`. The audit log keeps their history.
    #[arg(long, env = "FLAGSERVICE_APPROVAL_RETENTION_DAYS", value_name = "DAYS", default_value = FOREVER)]
    approval_retention_days: Days,
    /// Hours that a session of the administration pages lasts, 1 to 168.
    #[arg(long, env = "FLAGSERVICE_SESSION_HOURS", value_name = "HOURS", default_value = "12",
        value_parser = value_parser!(u64).range(1..=MAX_HOURS))]
    session_hours: u64,
    #[command(flatten)]
    token_lifetime: TokenLifetime,
    /// Days after which another data key encrypts the credentials of integrations and stream tokens, or `forever`.
    #[arg(long, env = "FLAGSERVICE_DATA_KEY_DAYS", value_name = "DAYS", default_value = "90")]
    data_key_days: Days,
    /// Hours in which a repeated request with an Idempotency-Key gets the first response, 1 to 168.
    #[arg(long, env = "FLAGSERVICE_IDEMPOTENCY_RETENTION_HOURS", value_name = "HOURS", default_value = "24",
        value_parser = value_parser!(u64).range(1..=MAX_HOURS))]
    idempotency_retention_hours: u64,
}

// Of `serve` and of the commands that create tokens.
#[derive(Args)]
pub(super) struct TokenLifetime {
    /// Days after which a token expires that is created without an expiry, or `forever`.
    #[arg(long, env = "FLAGSERVICE_TOKEN_LIFETIME_DAYS", value_name = "DAYS", default_value = "365")]
    token_lifetime_days: Days,
}

impl TokenLifetime {
    /// None: for ever.
    fn days(&self) -> Option<Duration> {
        self.token_lifetime_days.0
    }

    /// The expiry of a token that is created now.
    pub(super) fn expiry(&self, app: &App) -> Expiry {
        self.days().map_or(Expiry::Never, |lifetime| Expiry::At(app.clock.after(lifetime)))
    }
}

impl RetentionArgs {
    pub(super) fn settings(&self) -> Retention {
        Retention {
            audit_log: self.audit_retention_days.0,
            outbox: self.outbox_retention_days.0,
            goals: self.goal_retention_days.0,
            deliveries: self.delivery_retention_days.0,
            approvals: self.approval_retention_days.0,
            session: Duration::from_hours(self.session_hours),
            access_token: self.token_lifetime.days(),
            data_key: self.data_key_days.0,
            idempotency: Duration::from_hours(self.idempotency_retention_hours),
        }
    }
}

/// A number of days, or for ever.
#[derive(Clone, Copy, Debug)]
struct Days(Option<Duration>);

impl FromStr for Days {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == FOREVER {
            return Ok(Self(None));
        }
        match text.parse() {
            Ok(days @ 1..=MAX_DAYS) => Ok(Self(Some(Duration::from_hours(24 * days)))),
            Ok(_) | Err(_) => Err(format!("expected a number of days from 1 to {MAX_DAYS}, or '{FOREVER}'")),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::RetentionArgs;
    use crate::domain::retention::Retention;

    #[derive(clap::Parser)]
    struct Alone {
        #[command(flatten)]
        retention: RetentionArgs,
    }

    #[test]
    fn the_defaults_of_the_command_line_are_those_of_the_service() {
        assert_eq!(Alone::parse_from(["serve"]).retention.settings(), Retention::default());
    }
}
