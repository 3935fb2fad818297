//! What a restore says of people, tokens and keys that came back, and of scheduled changes.

use crate::app::changes::schedule::given_up::GivenUp;
use crate::app::transfer::restore::Restored;
use crate::command::output;
use crate::command::table;
use crate::command::token::format_time;
use crate::domain::retention::credential::Credential;

/// Prints what ended, what came back and what was revoked. `compared` says whether there was an old database to compare with.
///
/// # Errors
/// When it cannot be written.
pub(in crate::command) fn report(restored: &Restored, compared: bool, url: &str) -> anyhow::Result<()> {
    output::line(format_args!("Ended {} sessions, and all set-up links.", restored.sessions))?;
    report_given_up(&restored.given_up)?;
    let rows = |credentials: &[Credential]| {
        let row = |found: &Credential| [found.kind.clone(), found.id.clone(), found.of.clone(), found.name.clone()];
        table::print(["KIND", "ID", "OF", "NAME"], credentials.iter().map(row).collect())
    };
    match (restored.revived.is_empty(), compared) {
        (true, _) => {
            output::line(format_args!("Nothing came back that had been removed or revoked since the backup."))?
        }
        (false, true) => {
            output::line(format_args!("These came back, which had been removed or revoked since the backup:"))?;
            rows(&restored.revived)?;
        }
        (false, false) => {
            output::line(format_args!(
                "There is no old database to compare with. Some of these may have been removed or revoked since the backup:"
            ))?;
            rows(&restored.revived)?;
        }
    }
    if restored.revoked.is_empty() {
        if !restored.revived.is_empty() {
            output::line(format_args!(
                "Remove or revoke again what should not be there: user remove ID, user erase ID, token revoke ID, \
                 edge-key revoke PROJECT ID."
            ))?;
        }
        return Ok(());
    }
    output::line(format_args!("Revoked all personal access tokens, and the keys that came back:"))?;
    rows(&restored.revoked)?;
    for administrator in &restored.administrators {
        output::line(format_args!(
            "Create a token for the administrator '{}': flagservice-server token create --user {} --database-url {url}",
            administrator.name, administrator.id
        ))?;
    }
    Ok(())
}

fn report_given_up(given_up: &[GivenUp]) -> anyhow::Result<()> {
    if given_up.is_empty() {
        return Ok(());
    }
    output::line(format_args!(
        "These scheduled changes are not made, because their time, or that of a change before them, has passed:"
    ))?;
    let row = |GivenUp { approval, project_key }: &GivenUp| {
        let (environment, feature) = (approval.environment_key.to_string(), approval.feature_key.to_string());
        [
            format_time(approval.scheduled_for),
            project_key.clone(),
            environment,
            feature,
            approval.requester.name.clone(),
        ]
    };
    table::print(["DUE", "PROJECT", "ENVIRONMENT", "FEATURE", "REQUESTED BY"], given_up.iter().map(row).collect())
}
