//! What a start says of a database that it cannot use: the database, the reason and the remedy, at once and without a password.

use flagservice_server::store::Store;

/// What opening says of this URL.
async fn refusal(url: &str) -> String {
    format!("{:#}", Store::open(url).await.err().expect("the database is refused"))
}

#[tokio::test]
async fn a_database_that_is_not_durable_is_rejected_with_the_name_of_the_setting() {
    let said = refusal("sqlite::memory:").await;
    assert!(said.contains("journal_mode") && said.contains("memory"), "{said}");
}

#[tokio::test]
async fn an_unreachable_database_is_reported_without_its_password() {
    // Nobody listens on port 1.
    let said = refusal("postgres://shop:canary@127.0.0.1:1/flags").await;
    assert!(said.contains("shop@127.0.0.1:1/flags") && said.contains("Check the"), "{said}");
    assert!(!said.contains("canary"), "{said}");
}

#[tokio::test]
async fn an_unsupported_url_is_rejected_with_the_supported_kinds() {
    for url in ["mysql://shop:canary@127.0.0.1/flags", "flagservice.db", ""] {
        let said = refusal(url).await;
        assert!(said.contains("sqlite:<file>") && said.contains("postgres://"), "{said}");
        assert!(!said.contains("canary"), "{said}");
    }
}

#[tokio::test]
async fn a_sqlite_url_without_a_file_is_rejected_with_the_format() {
    assert!(refusal("sqlite:").await.contains("sqlite:<file>"));
}

#[tokio::test]
async fn a_file_that_is_not_a_sqlite_database_is_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    let text = "These are notes, and nothing of a database. ".repeat(100);
    std::fs::write(&file, &text).unwrap();
    let said = refusal(&format!("sqlite:{}", file.display())).await;
    assert!(said.contains("notes.txt"), "{said}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
}
