//! `backup`: copies a database that is in use to one file.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use crate::command::database::Database;
use crate::command::output;
use crate::command::progress;
use crate::store::{sqlite_file, suffixed};

/// Back up the database to a file, even while the server runs.
///
/// The backup is a consistent snapshot. It is checked and flushed to disk before the command exits. It does not contain
/// the master key: store a copy of the key file somewhere else. An existing file is not overwritten. For PostgreSQL,
/// use pg_dump.
///
/// Example: flagservice-server backup /backups/flagservice-2026-11-21.db
#[derive(Args)]
pub(super) struct Backup {
    /// File to write.
    file: PathBuf,
    #[command(flatten)]
    database: Database,
}

impl Backup {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let Some(database) = self.database.sqlite_path() else {
            bail!(
                "Back up PostgreSQL with: pg_dump --format=custom --file={} {}\n\
                 The backup does not contain the master key. Keep a copy of {} too.",
                self.file.display(),
                self.database.redacted_url(),
                self.database.key_file().display()
            );
        };
        self.database.ensure_exists()?;
        // Reserves the name. The copy gets it only when it is complete.
        new_file(&self.file)?;
        let partial = suffixed(&self.file, ".partial");
        let size = match write(database, &partial, &self.file).await {
            Ok(size) => size,
            Err(error) => {
                for file in [&partial, &self.file] {
                    // The original error is the one to report.
                    let _ = std::fs::remove_file(file);
                }
                return Err(error.context(format!("Could not create the backup {}.", self.file.display())));
            }
        };
        output::line(format_args!("Backed up {} to {}: {size}, checked.", database.display(), self.file.display()))?;
        output::line(format_args!(
            "The backup does not contain the master key. Store a copy of {} somewhere else.",
            self.database.key_file().display()
        ))?;
        Ok(())
    }
}

async fn write(database: &Path, partial: &Path, file: &Path) -> anyhow::Result<String> {
    new_file(partial)?;
    progress::report_file_size("copying", partial, sqlite_file::copy(database, partial)).await?;
    progress::report_file_size("checking", partial, sqlite_file::inspect(partial)).await?;
    let size = sync(partial)?;
    std::fs::rename(partial, file)?;
    sync_folder(file)?;
    Ok(progress::format_size(size))
}

/// Creates an empty file that only its owner can read: the database contains names of people.
pub(super) fn new_file(file: &Path) -> anyhow::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).map_err(|error| {
        if error.kind() == ErrorKind::AlreadyExists {
            return anyhow::anyhow!("{} already exists and is not overwritten. Choose another name.", file.display());
        }
        anyhow::Error::new(error).context(format!("Cannot write {}.", file.display()))
    })
}

/// Flushes the file to disk and returns its size.
pub(super) fn sync(file: &Path) -> anyhow::Result<u64> {
    let opened = File::open(file)?;
    opened.sync_all().with_context(|| format!("Cannot flush {} to disk.", file.display()))?;
    Ok(opened.metadata()?.len())
}

/// Flushes the file's directory entry to disk.
pub(super) fn sync_folder(file: &Path) -> anyhow::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(File::open(folder)?.sync_all()?)
}
