//! `licences`: prints the licence notices of what the binary contains.

use anyhow::Context as _;
use clap::Args;

use crate::command::output;

/// The file that existed when the server was compiled. Missing if the notices were not built.
#[derive(rust_embed::Embed)]
#[folder = "../../dist/notices"]
#[allow_missing = true]
struct EmbeddedFiles;

/// The name of the file in every artefact.
const FILE: &str = "third-party-licenses.txt";

/// Print the licences of all software that this program contains.
///
/// These are the crates that it was compiled from, and the npm packages in its administration pages and documentation: the name, version
/// and licence of each, then the text of every licence.
///
/// Example: flagservice-server licences > third-party-licenses.txt
#[derive(Args)]
#[command(visible_alias = "licenses")]
pub(super) struct Licences {}

impl Licences {
    pub(super) fn run() -> anyhow::Result<()> {
        let file = EmbeddedFiles::get(FILE).context(
            "The licence notices are not in this build. Build them, then rebuild the server: \
             npm run build && cargo build -p flagservice-server",
        )?;
        output::bytes(&file.data)
    }
}
