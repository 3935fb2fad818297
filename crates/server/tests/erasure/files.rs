//! What the files of a database have of texts that were erased.

use super::MARK;
use crate::command::run::run;
use crate::fixture::{Database, Engine, contains, without_gaps};

/// Which of the texts are in an SQLite file or its log, while the server runs, except where a page has nothing.
fn left_in_files<'a>(database: &Database, texts: &[&'a str]) -> Vec<&'a str> {
    if database.engine() != Engine::Sqlite {
        return Vec::new();
    }
    let file = without_gaps(std::fs::read(database.file()).unwrap());
    let log = std::fs::read(format!("{}-wal", database.file().display())).unwrap();
    texts.iter().copied().filter(|text| contains(&file, text) || contains(&log, text)).collect()
}

/// Asserts that none of the texts is left in the files. The log cannot be emptied while others read on a busy machine: then
/// `again` has it emptied with something else.
pub(super) async fn assert_overwritten(database: &Database, texts: &[&str], mut again: impl AsyncFnMut()) {
    for _ in 0..20 {
        if left_in_files(database, texts).is_empty() {
            return;
        }
        again().await;
    }
    panic!("{:?}", left_in_files(database, texts));
}

/// Asserts that the files of an SQLite database, and a backup of it, do not contain the mark.
pub(super) async fn assert_no_copy_in_files(database: &Database) {
    let backup = database.folder().join("erased.db");
    run(database, &["backup", backup.to_str().unwrap()]).await.ok();
    let mut read = Vec::new();
    for file in std::fs::read_dir(database.folder()).unwrap() {
        let file = file.unwrap().path();
        assert!(!contains(&std::fs::read(&file).unwrap(), MARK), "{}", file.display());
        read.push(file);
    }
    assert!(read.contains(&backup) && read.contains(&database.file()), "{read:?}");
}
