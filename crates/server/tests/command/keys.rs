//! `key`: data keys are rotated, and the master key is replaced, while servers run.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use flagservice_server::app::secrets::keyring::Keyring;
use flagservice_server::random::SystemRandom;
use flagservice_server::store::{Connection, Store};
use macro_rules_attribute::apply;
use serde_json::json;
use sqlx::Connection as _;
use tokio::time::timeout;

use super::run::run;
use crate::fixture::{Browser, Database, HANG_TIMEOUT, Loaded, NOW, Server, on_each_database};

/// The id of the data key of a stream token.
fn key_of(loaded: &Loaded) -> u32 {
    let sealed = URL_SAFE_NO_PAD.decode(&loaded.token).unwrap();
    u32::from_be_bytes(*sealed.first_chunk().unwrap())
}

/// Loads until the token uses this data key.
async fn load_until_key(browser: &Browser, key: u32) -> Loaded {
    let load = async {
        // Slow enough for the rate limit.
        let mut pause = tokio::time::interval(Duration::from_millis(50));
        loop {
            pause.tick().await;
            let loaded = browser.load_id("alice").await;
            if key_of(&loaded) == key {
                return loaded;
            }
        }
    };
    timeout(HANG_TIMEOUT, load).await.unwrap_or_else(|_| panic!("the server does not use key {key}"))
}

/// A separate keyring on the database.
async fn keyring(database: &Database) -> (Store, Keyring) {
    let store = Store::open(database.url()).await.unwrap();
    let keyring = Keyring::open(&store, &database.key_file(), &SystemRandom, NOW).await.unwrap();
    (store, keyring)
}

fn seal(keyring: &Keyring) -> String {
    keyring.seal(b"test", b"text", &SystemRandom).unwrap()
}

fn opens(keyring: &Keyring, sealed: &str) -> bool {
    keyring.open_sealed(b"test", sealed).is_some_and(|plain| plain == b"text")
}

#[apply(on_each_database)]
async fn a_running_server_uses_a_new_data_key_and_still_reads_with_the_older_one(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let before = browser.load_id("alice").await;
    assert_eq!(key_of(&before), 1);
    let output = run(&database, &["key", "rotate"]).await.ok();
    assert_eq!(output, "Created data key 2. Older keys, used only to decrypt: 1.\n");
    let after = load_until_key(&browser, 2).await;
    let mut streams = [browser.open(&before).await, browser.open(&after).await];
    server.switch_search_suggestions("production", false).await;
    for stream in &mut streams {
        assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
    }
}

#[apply(on_each_database)]
async fn a_token_with_an_unknown_data_key_makes_the_node_read_the_database(database: Database) {
    let (_store, first) = keyring(&database).await;
    run(&database, &["key", "rotate"]).await.ok();
    let (_other, second) = keyring(&database).await;
    let sealed = seal(&second);
    assert!(!opens(&first, &sealed) && first.is_behind(&sealed));
    assert!(!second.is_behind(&sealed) && opens(&second, &seal(&first)));

    // The server also polls each second, so try several times; most attempts come before the poll.
    let behind = Server::start(&database).await;
    for key in 3..6 {
        run(&database, &["key", "rotate"]).await.ok();
        let ahead = Server::start(&database).await;
        let loaded = ahead.browser("production").load_id("alice").await;
        assert_eq!(key_of(&loaded), key);
        let mut stream = behind.browser("production").open(&loaded).await;
        behind.switch_search_suggestions("production", key % 2 == 0).await;
        let value = if key % 2 == 0 { "on" } else { "off" };
        assert_eq!(stream.patch().await, json!({ "search-suggestions": value }));
        ahead.stop().await;
    }
}

#[apply(on_each_database)]
async fn a_data_key_is_removed_a_day_after_it_was_replaced(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let first = browser.load_id("alice").await;
    run(&database, &["key", "rotate"]).await.ok();
    let second = load_until_key(&browser, 2).await;
    let mut connection = Connection::connect(database.url()).await.unwrap();
    for (hours, output) in [
        (23, "Created data key 3. Older keys, used only to decrypt: 1, 2.\n"),
        (
            1,
            "Created data key 4. Older keys, used only to decrypt: 2, 3.\nRemoved keys that are no longer needed: 1.\n",
        ),
    ] {
        let earlier = format!("UPDATE data_keys SET created_at = created_at - {}", hours * 60 * 60 * 1000);
        sqlx::query(sqlx::AssertSqlSafe(earlier)).execute(&mut connection).await.unwrap();
        assert_eq!(run(&database, &["key", "rotate"]).await.ok(), output);
    }
    connection.close().await.unwrap();
    load_until_key(&browser, 4).await;
    browser.open(&first).await.expect_empty("reload").await;
    let mut stream = browser.open(&second).await;
    server.switch_search_suggestions("production", false).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
    server.stop().await;
    // Without its first key the database still does not count as empty.
    std::fs::remove_file(database.key_file()).unwrap();
    run(&database, &["check"]).await.expect_error(&["is missing", "--key-file"]);
}

#[apply(on_each_database)]
async fn the_master_key_can_be_changed_while_the_server_runs(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let before = browser.load_id("alice").await;
    let (old, new) = (database.key_file(), database.folder().join("new.key"));
    run(&database, &["key", "rotate"]).await.ok();
    load_until_key(&browser, 2).await;
    let output = run(&database, &["key", "rewrap", "--new-key-file", new.to_str().unwrap()]).await.ok();
    assert!(output.contains(new.to_str().unwrap()) && output.contains("Data keys: 2."), "{output}");
    assert_eq!(std::fs::metadata(&new).unwrap().permissions().mode() & 0o777, 0o600);
    for command in [&["check"][..], &["key", "rotate"], &["key", "rewrap", "--new-key-file", "x"]] {
        run(&database, command).await.expect_error(&[old.to_str().unwrap(), "is not this database's"]);
    }
    // The running server keeps its data keys, and reads the next one with the new key file.
    assert_eq!(key_of(&browser.load_id("alice").await), 2);
    std::fs::rename(&new, &old).unwrap();
    run(&database, &["check"]).await.ok();
    run(&database, &["key", "rotate"]).await.ok();
    let after = load_until_key(&browser, 3).await;
    let mut streams = [browser.open(&before).await, browser.open(&after).await];
    server.switch_search_suggestions("production", false).await;
    for stream in &mut streams {
        assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
    }
}

#[apply(on_each_database)]
async fn an_invalid_new_key_file_is_rejected_and_the_old_one_stays_valid(database: Database) {
    let other = database.folder().join("other.key");
    let same = std::fs::read_to_string(database.key_file()).unwrap();
    for (text, word) in [
        (same, "the key that is in use"),
        (STANDARD.encode([7; 31]), "32 bytes in base64"),
        (String::new(), "32 bytes"),
    ] {
        std::fs::write(&other, &text).unwrap();
        let rewrap = ["key", "rewrap", "--new-key-file", other.to_str().unwrap()];
        run(&database, &rewrap).await.expect_error(&[word, other.to_str().unwrap()]);
        assert_eq!(std::fs::read_to_string(&other).unwrap(), text);
    }
    let nowhere = database.folder().join("absent/new.key");
    let rewrap = ["key", "rewrap", "--new-key-file", nowhere.to_str().unwrap()];
    run(&database, &rewrap).await.expect_error(&[nowhere.to_str().unwrap()]);
    run(&database, &["check"]).await.ok();
}

#[apply(on_each_database)]
async fn concurrent_rotations_and_a_rewrap_leave_every_data_key_readable(database: Database) {
    let new = database.folder().join("new.key");
    let rewrap = ["key", "rewrap", "--new-key-file", new.to_str().unwrap()];
    let (rotate, rewrapped) = (["key", "rotate"], run(&database, &rewrap));
    let (_, _, rewrapped) = tokio::join!(run(&database, &rotate), run(&database, &rotate), rewrapped);
    // A rotation after the rewrap was rejected.
    rewrapped.ok();
    std::fs::rename(&new, database.key_file()).unwrap();
    run(&database, &["check"]).await.ok();
}
