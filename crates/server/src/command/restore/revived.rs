//! What a restore says of people, tokens and keys that came back.

use crate::app::transfer::restore::Restored;
use crate::command::output;
use crate::command::table;
use crate::domain::retention::credential::Credential;

/// Prints what ended, what came back and what was revoked. `compared` says whether there was an old database to compare with.
///
/// # Errors
/// When it cannot be written.
pub(in crate::command) fn report(restored: &Restored, compared: bool, url: &str) -> anyhow::Result<()> {
    output::line(format_args!("Ended {} sessions, and all set-up links.", restored.sessions))?;
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
