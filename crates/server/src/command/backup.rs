//! `backup`: the database in one file, taken while it is in use.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use crate::command::database::Database;
use crate::command::progress;
use crate::store::{sqlite_file, suffixed};

/// Copy the database to a file, also while the server runs.
///
/// The copy is of one instant, checked, and on the disk when the command ends. The master key is not in it: keep a copy
/// of the key file too, in another place. An existing file is not overwritten. A PostgreSQL database is backed up by
/// pg_dump.
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
        let Some(database) = self.database.file() else {
            bail!(
                "PostgreSQL makes its own backups. Run: pg_dump --format=custom --file={} {}\nThe master key is not inside: keep a copy of {} too.",
                self.file.display(),
                self.database.shown_url(),
                self.database.key_file().display()
            );
        };
        self.database.must_exist()?;
        // The name is taken at once, and given to the copy only when that is whole.
        new_file(&self.file)?;
        let partial = suffixed(&self.file, ".partial");
        let size = match write(database, &partial, &self.file).await {
            Ok(size) => size,
            Err(error) => {
                for file in [&partial, &self.file] {
                    // The error that is told is the one that led here.
                    let _ = std::fs::remove_file(file);
                }
                return Err(error.context(format!("There is no backup in {}.", self.file.display())));
            }
        };
        println!("{} holds all of {}: {size}, checked.", self.file.display(), database.display());
        println!(
            "The master key is not inside. It is in {}: keep a copy of that file too, in another place.",
            self.database.key_file().display()
        );
        Ok(())
    }
}

async fn write(database: &Path, partial: &Path, file: &Path) -> anyhow::Result<String> {
    new_file(partial)?;
    progress::of_file("copying", partial, sqlite_file::copy(database, partial)).await?;
    progress::of_file("checking", partial, sqlite_file::inspect(partial)).await?;
    let size = sync(partial)?;
    std::fs::rename(partial, file)?;
    sync_folder(file)?;
    Ok(progress::shown_size(size))
}

/// Makes an empty file that only its owner reads: the database has names of people in it.
pub(super) fn new_file(file: &Path) -> anyhow::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).map_err(|error| {
        if error.kind() == ErrorKind::AlreadyExists {
            return anyhow::anyhow!(
                "{} is there already, and is not overwritten. Choose another name.",
                file.display()
            );
        }
        anyhow::Error::new(error).context(format!("{} cannot be written.", file.display()))
    })
}

/// Returns the file's size once all of it is on the disk.
pub(super) fn sync(file: &Path) -> anyhow::Result<u64> {
    let opened = File::open(file)?;
    opened.sync_all().with_context(|| format!("{} could not be put on the disk.", file.display()))?;
    Ok(opened.metadata()?.len())
}

/// Returns once the names in the file's folder are on the disk.
pub(super) fn sync_folder(file: &Path) -> anyhow::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(File::open(folder)?.sync_all()?)
}
