//! Settings: a flag counts before its environment variable, that before the file, and that before the default.

use std::path::{Path, PathBuf};

use macro_rules_attribute::apply;
use tokio::process::Command;

use crate::fixture::{Binary, on_each_database};

/// Addresses that no machine has, so that the one that counts is named when it is refused (RFC 5737).
const BY_FLAG: &str = "192.0.2.1:1";
const BY_ENVIRONMENT: &str = "198.51.100.2:2";
const BY_FILE: &str = "203.0.113.3:3";

/// A file of settings in the folder.
fn settings(folder: &Path, text: &str) -> PathBuf {
    let file = folder.join("settings.toml");
    std::fs::write(&file, text).unwrap();
    file
}

/// What the program says when it refuses to do this in the folder.
async fn refusal(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let mut command = Command::new(Binary::PROGRAM);
    command.current_dir(folder).args(arguments).env("RUST_LOG", "off").kill_on_drop(true);
    let output = command.envs(environment.iter().copied()).output().await.unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    said
}

#[tokio::test]
async fn flags_override_the_environment_the_file_and_the_defaults_in_this_order() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("listen = '{BY_FILE}'\ndatabase-url = 'sqlite:by-file.db'");
    let file = settings(folder.path(), &text);
    let with_file = ["serve", "--config", file.to_str().unwrap()];
    let with_flag = [&with_file[..], &["--listen", BY_FLAG]].concat();
    let environment = [("FLAGSERVICE_LISTEN", BY_ENVIRONMENT)];
    for (arguments, environment, counts) in [
        (&with_file[..], &[][..], BY_FILE),
        (&with_file, &environment, BY_ENVIRONMENT),
        (&with_flag, &environment, BY_FLAG),
        (&with_flag, &[], BY_FLAG),
    ] {
        let said = refusal(folder.path(), arguments, environment).await;
        assert!(said.contains(&format!("Cannot listen on {counts}.")), "{said}");
    }
    assert!(folder.path().join("by-file.db").exists());
    assert!(!folder.path().join("flagservice.db").exists(), "what the file says counts before the default");
    let said = refusal(folder.path(), &["check"], &[]).await;
    assert!(said.contains("no database at flagservice.db"), "without a file the default counts: {said}");
}

#[tokio::test]
async fn an_unknown_setting_is_rejected_with_a_suggestion() {
    let folder = tempfile::tempdir().unwrap();
    for (text, words) in [
        ("drain_spread = 5", ["'drain_spread'", "Did you mean 'drain-spread'?"]),
        ("metrics-lisen = '127.0.0.1:0'", ["'metrics-lisen'", "Did you mean 'metrics-listen'?"]),
        ("xyz = 1", ["'xyz'", "There are: listen, "]),
        ("config = 'other.toml'", ["'config'", "no setting"]),
        ("[serve]\nlisten = '127.0.0.1:0'", ["'serve'", "no setting"]),
    ] {
        let file = settings(folder.path(), text);
        for command in ["serve", "check"] {
            let said = refusal(folder.path(), &[command, "--config", file.to_str().unwrap()], &[]).await;
            for word in [words[0], words[1], file.to_str().unwrap()] {
                assert!(said.contains(word), "{word} in {said}");
            }
        }
    }
    assert!(!folder.path().join("flagservice.db").exists(), "nothing was begun");
}

#[tokio::test]
async fn an_invalid_value_is_rejected_with_file_and_setting() {
    let folder = tempfile::tempdir().unwrap();
    for (text, word) in [
        ("listen = 'everywhere'", "--listen"),
        ("requests-per-second = 0", "--requests-per-second"),
        ("trusted-proxy = ['10.0.0.0/8', 'x']", "--trusted-proxy"),
        ("listen = true", "'listen'"),
        ("trusted-proxy = []", "'trusted-proxy'"),
        ("\nlisten = ", "line 2"),
    ] {
        let file = settings(folder.path(), text);
        let said = refusal(folder.path(), &["serve"], &[("FLAGSERVICE_CONFIG", file.to_str().unwrap())]).await;
        assert!(said.contains(word) && said.contains(file.to_str().unwrap()), "{word} in {said}");
    }
    let said = refusal(folder.path(), &["serve", "--config", "absent.toml"], &[]).await;
    assert!(said.contains("absent.toml"), "{said}");
}

#[tokio::test]
async fn a_password_in_the_file_is_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    for text in [
        "database-url = 'postgres://flags:s3cret@127.0.0.1:1/flags",
        "database-url = 'postgres://flags:s3cret@127.0.0.1:1/flags'",
    ] {
        let file = settings(folder.path(), text);
        let said = refusal(folder.path(), &["serve", "--config", file.to_str().unwrap()], &[]).await;
        assert!(!said.contains("s3cret"), "{said}");
    }
}

#[apply(on_each_database)]
async fn the_server_uses_its_configuration_file(database: Database) {
    let text = "metrics-listen = '127.0.0.1:0'\ntrusted-proxy = ['10.0.0.0/8', 'fd00::/8']\ndrain-spread = 1\n";
    let file = settings(database.folder(), text);
    let server = Binary::start_with(&database, &["--config", file.to_str().unwrap()]).await;
    assert!(server.log_of_start().contains("serving metrics"), "{}", server.log_of_start());
    server.anonymous_with("").get("/metrics").await.problem(404, "no-such-path");
}
