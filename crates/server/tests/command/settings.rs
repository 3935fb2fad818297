//! Settings: flags override environment variables, which override the file, which overrides the defaults.

use std::path::{Path, PathBuf};

use macro_rules_attribute::apply;
use tokio::process::Command;

use crate::fixture::{ServerProcess, on_each_database};

/// Unusable addresses (RFC 5737), so that the error names the address in effect.
const BY_FLAG: &str = "192.0.2.1:1";
const BY_ENVIRONMENT: &str = "198.51.100.2:2";
const BY_FILE: &str = "203.0.113.3:3";

/// Writes a configuration file.
fn settings(folder: &Path, text: &str) -> PathBuf {
    let file = folder.join("settings.toml");
    std::fs::write(&file, text).unwrap();
    file
}

/// The error message of a command that must fail.
async fn error_of(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let mut command = Command::new(ServerProcess::PROGRAM);
    command.current_dir(folder).args(arguments).env("RUST_LOG", "off").kill_on_drop(true);
    let output = command.envs(environment.iter().copied()).output().await.unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    message
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
        let message = error_of(folder.path(), arguments, environment).await;
        assert!(message.contains(&format!("Cannot listen on {counts}.")), "{message}");
    }
    assert!(folder.path().join("by-file.db").exists());
    assert!(!folder.path().join("flagservice.db").exists(), "the file overrides the default");
    let message = error_of(folder.path(), &["check"], &[]).await;
    assert!(message.contains("no database at flagservice.db"), "without a file the default applies: {message}");
}

#[tokio::test]
async fn an_empty_log_level_is_like_none() {
    for level in [None, Some(""), Some(" ")] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(ServerProcess::PROGRAM);
        command.current_dir(folder.path()).args(["organisation", "create", "Acme", "--administrator", "Alma"]);
        match level {
            Some(level) => command.env("RUST_LOG", level),
            None => command.env_remove("RUST_LOG"),
        };
        let log = String::from_utf8(command.output().await.unwrap().stderr).unwrap();
        assert!(log.contains("A master key was made"), "{level:?}: {log}");
    }
}

#[tokio::test]
async fn an_edge_reads_its_settings_from_a_file_and_its_flags_and_environment_override_them() {
    let folder = tempfile::tempdir().unwrap();
    let own = "upstream = 'http://127.0.0.1:9'\nedge-key = 'edge-x'\nmax-age = 4";
    // The file of a server may have more.
    let file = settings(folder.path(), &format!("listen = '{BY_FILE}'\ndatabase-url = 'sqlite:by-file.db'\n{own}"));
    let with_file = ["edge", "--config", file.to_str().unwrap()];
    let with_flag = [&with_file[..], &["--listen", BY_FLAG]].concat();
    let environment = [("FLAGSERVICE_LISTEN", BY_ENVIRONMENT)];
    for (arguments, environment, counts) in [
        (&with_file[..], &[][..], BY_FILE),
        (&with_file, &environment, BY_ENVIRONMENT),
        (&with_flag, &environment, BY_FLAG),
    ] {
        let message = error_of(folder.path(), arguments, environment).await;
        assert!(message.contains(&format!("Cannot listen on {counts}.")), "{message}");
    }
    for (text, word) in [
        ("edge-key = 'edge-x'\nupstream-url = 'http://127.0.0.1:9'", "Did you mean 'upstream'?"),
        ("upstream = 'nowhere'", "--upstream"),
        ("max-age = 'long'", "--max-age"),
    ] {
        let file = settings(folder.path(), text);
        let message = error_of(folder.path(), &["edge", "--config", file.to_str().unwrap()], &[]).await;
        assert!(message.contains(word), "{word} in {message}");
    }
}

#[tokio::test]
async fn an_edge_without_an_upstream_or_a_key_does_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = settings(folder.path(), "listen = '127.0.0.1:0'");
    for arguments in [&["edge"][..], &["edge", "--config", file.to_str().unwrap()]] {
        let mut command = Command::new(ServerProcess::PROGRAM);
        let output = command.current_dir(folder.path()).args(arguments).kill_on_drop(true).output().await.unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && message.contains("upstream"), "{message}");
    }
}

#[tokio::test]
async fn an_unknown_setting_is_rejected_with_a_suggestion() {
    let folder = tempfile::tempdir().unwrap();
    for (text, words) in [
        ("drain_spread = 5", ["'drain_spread'", "Did you mean 'drain-spread'?"]),
        ("metrics-lisen = '127.0.0.1:0'", ["'metrics-lisen'", "Did you mean 'metrics-listen'?"]),
        ("xyz = 1", ["'xyz'", "Known settings: listen, "]),
        ("config = 'other.toml'", ["'config'", "unknown setting"]),
        ("[serve]\nlisten = '127.0.0.1:0'", ["'serve'", "unknown setting"]),
    ] {
        let file = settings(folder.path(), text);
        for command in ["serve", "check"] {
            let message = error_of(folder.path(), &[command, "--config", file.to_str().unwrap()], &[]).await;
            for word in [words[0], words[1], file.to_str().unwrap()] {
                assert!(message.contains(word), "{word} in {message}");
            }
        }
    }
    assert!(!folder.path().join("flagservice.db").exists(), "no database was created");
}

#[tokio::test]
async fn an_invalid_value_is_rejected_with_file_and_setting() {
    let folder = tempfile::tempdir().unwrap();
    for (text, word) in [
        ("listen = 'everywhere'", "--listen"),
        ("requests-per-second = 0", "--requests-per-second"),
        ("audit-retention-days = 0", "--audit-retention-days"),
        ("goal-retention-days = 'never'", "from 1 to 36500, or 'forever'"),
        ("outbox-retention-days = 36501", "from 1 to 36500, or 'forever'"),
        ("session-hours = 169", "--session-hours"),
        ("idempotency-retention-hours = 0", "1..=168"),
        ("trusted-proxy = ['10.0.0.0/8', 'x']", "--trusted-proxy"),
        ("listen = true", "'listen'"),
        ("trusted-proxy = []", "'trusted-proxy'"),
        ("\nlisten = ", "line 2"),
    ] {
        let file = settings(folder.path(), text);
        let message = error_of(folder.path(), &["serve"], &[("FLAGSERVICE_CONFIG", file.to_str().unwrap())]).await;
        assert!(message.contains(word) && message.contains(file.to_str().unwrap()), "{word} in {message}");
    }
    let message = error_of(folder.path(), &["serve", "--config", "absent.toml"], &[]).await;
    assert!(message.contains("absent.toml"), "{message}");
}

#[tokio::test]
async fn a_password_in_the_file_is_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    for text in [
        "database-url = 'postgres://flags:s3cret@127.0.0.1:1/flags",
        "database-url = 'postgres://flags:s3cret@127.0.0.1:1/flags'",
    ] {
        let file = settings(folder.path(), text);
        let message = error_of(folder.path(), &["serve", "--config", file.to_str().unwrap()], &[]).await;
        assert!(!message.contains("s3cret"), "{message}");
    }
}

#[apply(on_each_database)]
async fn the_server_uses_its_configuration_file(database: Database) {
    let text = "metrics-listen = '127.0.0.1:0'\ntrusted-proxy = ['10.0.0.0/8', 'fd00::/8']\ndrain-spread = 1\n";
    let file = settings(database.folder(), text);
    let server = ServerProcess::start_with(&database, &["--config", file.to_str().unwrap()]).await;
    assert!(server.startup_log().contains("serving metrics"), "{}", server.startup_log());
    server.caller_with_token("").get("/metrics").await.problem(404, "no-such-path");
}
