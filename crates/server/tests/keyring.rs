//! The master key: created once for an empty database, required by every later start, and in no copy of the database.

use std::os::unix::fs::PermissionsExt as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flagservice_server::app::secrets::keyring::Keyring;
use flagservice_server::random::SystemRandom;
use flagservice_server::store::Store;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{Database, Engine, NOW, Server, environment, on_each_database, on_each_empty_database, service};

/// The error when a service is started on this database.
async fn start_error(database: &Database) -> String {
    let refused = service(database, NOW).await;
    format!("{:#}", refused.err().expect("the start should fail"))
}

#[apply(on_each_empty_database)]
async fn an_empty_database_gets_a_key_file_that_only_its_owner_can_read(database: Database) {
    let (service, _) = service(&database, NOW).await.unwrap();
    service.stop().await;
    let file = database.key_file();
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let key = STANDARD.decode(std::fs::read_to_string(&file).unwrap().trim()).unwrap();
    assert_eq!(key.len(), 32);
}

#[apply(on_each_empty_database)]
async fn two_nodes_that_start_at_once_on_an_empty_database_create_one_key(database: Database) {
    let stores = [Store::open(database.url()).await.unwrap(), Store::open(database.url()).await.unwrap()];
    let file = database.key_file();
    let open = |store| Keyring::open(store, &file, &SystemRandom, NOW);
    let (first, second) = tokio::join!(open(&stores[0]), open(&stores[1]));
    let sealed = first.unwrap().seal(b"test", b"text", &SystemRandom).unwrap();
    assert_eq!(second.unwrap().open_sealed(b"test", &sealed).as_deref(), Some(b"text".as_slice()));
}

#[apply(on_each_database)]
async fn after_a_restart_with_the_same_key_older_tokens_are_readable(database: Database) {
    let server = Server::start(&database).await;
    let loaded = server.browser("production").load_id("alice").await;
    let key = std::fs::read(database.key_file()).unwrap();
    server.stop().await;

    let server = Server::start(&database).await;
    assert_eq!(std::fs::read(database.key_file()).unwrap(), key);
    let mut stream = server.browser("production").open(&loaded).await;
    server.switch_search_suggestions("production", false).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
}

#[apply(on_each_database)]
async fn a_used_database_without_its_key_file_is_rejected_with_the_remedy(database: Database) {
    std::fs::remove_file(database.key_file()).unwrap();
    let message = start_error(&database).await;
    assert!(message.contains(&database.key_file().display().to_string()), "{message}");
    assert!(message.contains("--key-file"), "{message}");
    assert!(!database.key_file().exists(), "no other key was created");
}

#[apply(on_each_database)]
async fn a_wrong_key_is_rejected_with_the_name_of_its_file(database: Database) {
    for wrong in [STANDARD.encode([7; 32]), STANDARD.encode([7; 31]), "not base64".to_owned(), String::new()] {
        std::fs::write(database.key_file(), &wrong).unwrap();
        let message = start_error(&database).await;
        assert!(message.contains(&database.key_file().display().to_string()), "{message}");
        assert!(wrong.is_empty() || !message.contains(&wrong), "{message}");
        assert_eq!(std::fs::read_to_string(database.key_file()).unwrap(), wrong, "the file is unchanged");
    }
}

/// The contents of all files in the database's folder except the key file.
fn files(database: &Database) -> Vec<u8> {
    let files = std::fs::read_dir(database.folder()).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| *file != database.key_file()).flat_map(|file| std::fs::read(file).unwrap()).collect()
}

#[apply(on_each_database)]
async fn a_copy_of_the_database_contains_no_token_client_key_or_secret(database: Database) {
    let server = Server::start(&database).await;
    let created =
        server.administrator().post(&environment("staging", "/client-keys"), &json!({ "name": "Kiosk" })).await;
    let created = created.ok(201);
    let loaded = server.browser("production").load_id("alice").await;
    let credentials = database.credentials();
    let mut secrets: Vec<_> = credentials.client_keys.values().map(String::as_str).collect();
    secrets.extend(credentials.tokens.values().map(|person| person.token.as_str()));
    let key_file = std::fs::read_to_string(database.key_file()).unwrap();
    secrets.extend([created["key"].as_str().unwrap(), &loaded.token, key_file.trim()]);

    let stored = server.stored_rows().await;
    // Other data is found, so the search works.
    assert!(stored.contains("Kiosk"));
    for secret in &secrets {
        assert!(!stored.contains(secret), "{secret} is in the database");
    }
    if database.engine() == Engine::Sqlite {
        // The write-ahead log of the running server contains the latest writes.
        let bytes = files(&database);
        let holds = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
        assert!(holds(b"Kiosk") && database.folder().join("flagservice.db-wal").exists());
        for secret in &secrets {
            assert!(!holds(secret.as_bytes()), "{secret} is in a file of the database");
        }
        assert!(!holds(&STANDARD.decode(key_file.trim()).unwrap()), "the master key is in a file of the database");
    }
}
