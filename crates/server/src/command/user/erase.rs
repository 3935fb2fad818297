//! `user erase`: erases all that is stored of a person or a user.

use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;

use crate::app::retention::erasure::{self, Erased};
use crate::command::operator::OperatorArgs;
use crate::command::output;
use crate::command::table;

/// The error when the file cannot be written again.
const UNCOMPACTED: &str =
    "This was erased, but the SQLite file could not be written again, so it may have copies. Try again later.";

/// Erase all that is stored of a person, or of a user of your pages.
///
/// Their records are removed. In the audit log and in approvals a neutral "Removed person" takes their place. Prints what was removed,
/// and the rules that still name the id: change those yourself, because that changes what is served. Afterwards an SQLite file
/// is written again, so that it has no copy left; other writers wait meanwhile. Backups are not changed: delete older ones.
///
/// Example: flagservice-server user erase 0193d3f0-7c1e-7a52-9a1c-0d6c1f9be0c4
#[derive(Args)]
pub(in crate::command) struct Erase {
    /// Id of a person, as shown by `user list`, also of one who has been removed; or id of a user, as your pages send it.
    id: String,
    /// Leave the SQLite file as it is. Parts of it may have copies of erased rows until it is written again.
    #[arg(long)]
    no_compact: bool,
    #[command(flatten)]
    operator: OperatorArgs,
}

impl Erase {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let operator = self.operator.start().await?;
        let app = Arc::clone(&operator.service.app);
        let erased = erasure::erase(Arc::clone(&app), operator.actor.clone(), self.id).await?;
        // Also when it cannot be shown, the rest is done first.
        let shown = show(&erased);
        let emptied = self.no_compact || erasure::compact(&app).await.context(UNCOMPACTED)?;
        if !emptied {
            output::note(format_args!(
                "SQLite's log could not be emptied, because others were reading. The server empties it within an hour."
            ));
        }
        drop(app);
        operator.service.stop().await;
        shown
    }
}

fn show(erased: &Erased) -> anyhow::Result<()> {
    if erased.removed.is_empty() {
        output::line(format_args!("Nothing was found."))?;
    } else {
        let rows = erased.removed.iter().map(|(kind, count)| [(*kind).to_owned(), count.to_string()]);
        table::print(["ERASED", "COUNT"], rows.collect())?;
    }
    if !erased.rules.is_empty() {
        output::line(format_args!(
            "These rules still name the id. Change them, and export or back up the project again:"
        ))?;
    }
    erased.rules.iter().try_for_each(|rule| output::line(format_args!("  {rule}")))
}
