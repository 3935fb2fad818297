//! The settings of single sign-on: what is missing or wrong stops the start, with the name of the setting and the remedy.

use std::path::Path;

use tokio::process::Command;

use crate::fixture::ServerProcess;

const SECRET: &str = "zyxquark-7f3a-secret";

/// The error of a server with these settings, which must not start.
async fn error_of(folder: &Path, settings: &str) -> String {
    let file = folder.join("settings.toml");
    std::fs::write(&file, settings).unwrap();
    let mut command = Command::new(ServerProcess::PROGRAM);
    command.current_dir(folder).args(["serve", "--config"]).arg(&file).env("RUST_LOG", "info").kill_on_drop(true);
    let output = command.output().await.unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{settings}: {message}");
    message
}

#[tokio::test]
async fn bad_settings_of_single_sign_on_stop_the_start_with_their_name_and_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty");
    std::fs::write(&empty, "\n").unwrap();
    let good =
        "oidc-issuer = 'https://login.example'\noidc-client-id = 'flags'\npublic-url = 'https://flags.example'\n";
    let with = |more: &str| format!("{good}{more}");
    for (settings, words) in [
        ("oidc-client-id = 'flags'".to_owned(), ["--oidc-client-id needs --oidc-issuer", "Set it, or remove"]),
        ("oidc-issuer = 'https://login.example'".to_owned(), ["--oidc-issuer needs --oidc-client-id", "Set both"]),
        ("oidc-issuer = 'http://login.example'".to_owned(), ["--oidc-issuer", "https://"]),
        ("oidc-issuer = 'login.example'".to_owned(), ["--oidc-issuer", "copy the issuer"]),
        (with("oidc-role = 'admins=boss'"), ["--oidc-role", "administrator"]),
        (with("oidc-role = 'administrator'"), ["--oidc-role", "VALUE=ROLE"]),
        // Nothing is wrong with the roles here.
        (
            with("oidc-role = ['CN=flags-admins,OU=groups,DC=acme=administrator']\noidc-name = ' '"),
            ["--oidc-name", "1 to 40"],
        ),
        (with("oidc-role-claim = ' '"), ["--oidc-role-claim", "realm_access.roles"]),
        (with("oidc-scopes = 'profile email'"), ["--oidc-scopes must contain openid", "does not say who"]),
        (with("oidc-name = ' '"), ["--oidc-name", "1 to 40"]),
        (with("oidc-client-secret = ' '"), ["--oidc-client-secret is empty", "remove the setting"]),
        (with("oidc-client-secret-file = 'missing'"), ["missing", "--oidc-client-secret-file"]),
        (
            with(&format!("oidc-client-secret-file = '{}'", empty.display())),
            ["--oidc-client-secret-file is empty", "Set"],
        ),
        (
            with(&format!("oidc-client-secret-file = 'a'\noidc-client-secret = '{SECRET}'")),
            ["are both set", "Remove one"],
        ),
        (
            good.replace("https://flags", "http://flags"),
            ["--oidc-issuer needs a --public-url, not http://flags.example", "Set --public-url to the https://"],
        ),
    ] {
        let message = error_of(folder.path(), &settings).await;
        for word in words {
            assert!(message.contains(word), "{word} in {message}");
        }
        assert!(!message.contains(SECRET), "{message}");
    }
    assert!(!folder.path().join("flagservice.db").exists(), "no database was created");
}

#[tokio::test]
async fn an_organisation_that_does_not_exist_stops_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(ServerProcess::PROGRAM);
    command.current_dir(folder.path()).args(["organisation", "create", "Acme", "--administrator", "Alma"]);
    assert!(command.output().await.unwrap().status.success());
    let settings = "listen = '127.0.0.1:0'\noidc-issuer = 'https://login.example'\noidc-client-id = 'flags'\n\
                    public-url = 'https://flags.example'\noidc-organisation = 'unknown'";
    let message = error_of(folder.path(), settings).await;
    assert!(message.contains("--oidc-organisation is unknown, which does not exist. Set one of: "), "{message}");
    assert!(message.contains("(Acme)"), "{message}");
}
