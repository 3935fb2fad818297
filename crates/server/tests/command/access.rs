//! `organisation`, `user` and `token`: how an operator gives access to people.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::json;
use tokio::process::Command;

use super::run::run;
use crate::fixture::{Database, Server, ServerProcess, on_each_database, on_each_empty_database};

#[apply(on_each_empty_database)]
async fn the_first_start_logs_the_command_that_creates_an_administrator_and_the_command_works(database: Database) {
    let server = ServerProcess::start(&database).await;
    let output = server.startup_log();
    assert!(output.contains("flagservice-server organisation create"), "{output}");

    let output = run(&database, &["organisation", "create", "Acme", "--administrator", "Alma Lindqvist"]).await.ok();
    let token = output.strip_suffix('\n').expect("a line");
    assert!(token.starts_with("api-") && !token.contains(char::is_whitespace), "{token}");
    // The running server accepts it.
    let me = server.caller_with_token(token).get("/api/v1/me").await.ok(200);
    assert_eq!((&me["name"], &me["role"]), (&json!("Alma Lindqvist"), &json!("administrator")), "{me}");
    let log = server.caller_with_token(token).get("/api/v1/audit-log").await;
    let done: Vec<_> = log.items().iter().map(|entry| (entry["action"].clone(), entry["userName"].clone())).collect();
    for action in ["organisation.create", "user.create", "token.create"] {
        assert!(done.contains(&(json!(action), json!("command line"))), "{action} in {done:?}");
    }
}

#[apply(on_each_database)]
async fn a_database_with_an_organisation_is_not_reported_as_empty(database: Database) {
    let server = ServerProcess::start(&database).await;
    assert!(!server.startup_log().contains("organisation create"), "{}", server.startup_log());
}

#[apply(on_each_database)]
async fn a_person_can_be_added_listed_changed_and_removed(database: Database) {
    let id = run(&database, &["user", "add", "Nils Holm", "--role", "editor"]).await.ok();
    let id = id.trim();
    let token = run(&database, &["token", "create", "--user", "Nils Holm"]).await.ok();
    let listed = run(&database, &["user", "list"]).await.ok();
    assert!(listed.lines().any(|line| [id, "editor", "Nils Holm"].iter().all(|word| line.contains(word))), "{listed}");
    run(&database, &["user", "set-role", id, "readOnly"]).await.ok();
    {
        let server = Server::start(&database).await;
        let me = server.caller(Some(token.trim())).get("/api/v1/me").await.ok(200);
        assert_eq!(me["role"], "readOnly");
        let log = server.administrator().get(&format!("/api/v1/audit-log?resource=users/{id}")).await;
        assert_eq!(log.column("action"), [json!("user.update"), json!("user.create")]);
        server.stop().await;
    }
    run(&database, &["user", "remove", "Nils Holm"]).await.ok();
    let server = Server::start(&database).await;
    server.caller(Some(token.trim())).get("/api/v1/me").await.problem(401, "unauthenticated");
}

#[apply(on_each_database)]
async fn the_rest_rules_apply_to_the_command_line_too(database: Database) {
    let last = ["user", "remove", "Alma Lindqvist"];
    run(&database, &last).await.expect_error(&["administrator"]);
    let past = ["token", "create", "--user", "Alma Lindqvist", "--expires", "2020-01-01"];
    run(&database, &past).await.expect_error(&["later time"]);
    run(&database, &["token", "create", "--user", "Nobody"]).await.expect_error(&["Nobody", "user list"]);
    run(&database, &["token", "revoke", "nothing"]).await.expect_error(&["nothing"]);
    run(&database, &["user", "add", "Pablo Reyes", "--role", "editor"]).await.ok();
    run(&database, &["token", "create", "--user", "Pablo Reyes"]).await.expect_error(&["Pablo Reyes", "Use an id"]);
}

#[apply(on_each_database)]
async fn a_token_is_valid_until_it_is_revoked_and_is_shown_once(database: Database) {
    let args = ["token", "create", "--user", "Ravi Menon", "--name", "Report", "--expires", "2099-12-31"];
    let token = run(&database, &args).await.ok();
    let token = token.trim();
    let listed = run(&database, &["token", "list", "--user", "Ravi Menon"]).await.ok();
    assert!(!listed.contains(token), "{listed}");
    let line = listed.lines().find(|line| line.contains("Report")).expect("the new token");
    assert!(line.contains("2099-12-31T00:00:00Z") && line.contains(&token[token.len() - 4..]), "{line}");
    let id = line.split_whitespace().next().unwrap();

    let server = Server::start(&database).await;
    server.caller(Some(token)).get("/api/v1/me").await.ok(200);
    run(&database, &["token", "revoke", id]).await.ok();
    server.caller(Some(token)).get("/api/v1/me").await.problem(401, "unauthenticated");
    server.person(Role::ReadOnly).get("/api/v1/me").await.ok(200);
}

/// Whole days until a token of the command line expires, as `token list` shows it; none: never.
async fn days_until_expiry(database: &Database, name: &str) -> Option<i64> {
    let listed = run(database, &["token", "list"]).await.ok();
    let line = listed.lines().find(|line| line.ends_with(name)).expect("the token");
    let expires = line.split_whitespace().nth(2).unwrap();
    let left = |text: &str| text.parse::<jiff::Timestamp>().unwrap().as_second() - jiff::Timestamp::now().as_second();
    // It was created seconds ago.
    (expires != "never").then(|| (left(expires) + 43_200) / 86_400)
}

#[apply(on_each_database)]
async fn a_token_of_the_command_line_expires_a_year_later_unless_the_arguments_say_otherwise(database: Database) {
    for (name, arguments, days) in [
        ("Year", &[][..], Some(365)),
        ("Month", &["--token-lifetime-days", "30"], Some(30)),
        ("Lifetime", &["--token-lifetime-days", "forever"], None),
        ("Never", &["--expires", "never"], None),
    ] {
        let create = [&["token", "create", "--user", "Ravi Menon", "--name", name], arguments].concat();
        run(&database, &create).await.ok();
        assert_eq!(days_until_expiry(&database, name).await, days, "{name}");
    }
    let none = ["token", "create", "--user", "Ravi Menon", "--token-lifetime-days", "0"];
    run(&database, &none).await.expect_usage_error(&["from 1 to", "forever"]);
}

#[apply(on_each_empty_database)]
async fn the_first_token_expires_and_the_command_line_creates_another_one(database: Database) {
    run(&database, &["organisation", "create", "Acme", "--administrator", "Alma Lindqvist"]).await.ok();
    assert_eq!(days_until_expiry(&database, "First token").await, Some(365));
    let token = run(&database, &["token", "create", "--user", "Alma Lindqvist"]).await.ok();
    let server = ServerProcess::start(&database).await;
    server.caller_with_token(token.trim()).get("/api/v1/me").await.ok(200);
}

#[apply(on_each_database)]
async fn a_token_of_the_command_line_can_have_a_scope(database: Database) {
    let arguments = ["--read-only", "--project", "shop", "--environment", "shop/staging"];
    let create = [&["token", "create", "--user", "Alma Lindqvist", "--name", "Limited"], &arguments[..]].concat();
    let token = run(&database, &create).await.ok();
    let listed = run(&database, &["token", "list"]).await.ok();
    let line = listed.lines().find(|line| line.ends_with("Limited")).expect("the token");
    // The project includes the environment.
    assert!(line.contains("read only, in the project shop "), "{line}");
    let server = Server::start(&database).await;
    let caller = server.caller(Some(token.trim()));
    caller.get("/api/v1/projects/shop/features").await.ok(200);
    caller.post("/api/v1/projects", &json!({ "key": "other", "name": "Other" })).await.problem(403, "forbidden");
    for wrong in ["staging", "shop/", "shop/a b"] {
        let create = ["token", "create", "--user", "Alma Lindqvist", "--environment", wrong];
        run(&database, &create).await.expect_usage_error(&[wrong]);
    }
    let unknown = ["token", "create", "--user", "Alma Lindqvist", "--environment", "shop/none"];
    run(&database, &unknown).await.expect_error(&["no environment 'none'"]);
}

#[apply(on_each_database)]
async fn with_several_organisations_one_must_be_chosen(database: Database) {
    run(&database, &["organisation", "create", "Elsewhere", "--administrator", "Elsa Where", "--another"]).await.ok();
    run(&database, &["user", "list"]).await.expect_error(&["--organisation", "Acme", "Elsewhere"]);
    let listed = run(&database, &["user", "list", "--organisation", "Elsewhere"]).await.ok();
    assert!(listed.contains("Elsa Where") && !listed.contains("Alma Lindqvist"), "{listed}");
    run(&database, &["user", "list", "--organisation", "Nowhere"]).await.expect_error(&["Nowhere", "Acme"]);
}

#[apply(on_each_database)]
async fn an_organisation_is_created_beside_another_one_only_on_request(database: Database) {
    let create = async |name: &str, more: &[&str]| {
        run(&database, &[&["organisation", "create", name, "--administrator", "Elsa Where"], more].concat()).await
    };
    for more in [&[][..], &["--another"]] {
        create("Acme", more).await.expect_error(&["'Acme'", "Nothing was created", "token create --user"]);
    }
    create("Elsewhere", &[]).await.expect_error(&["'Acme'", "Nothing was created", "token create --user", "--another"]);
    let listed = run(&database, &["organisation", "list"]).await.ok();
    assert_eq!(listed.lines().count(), 2, "the heading and Acme: {listed}");
}

#[tokio::test]
async fn a_command_does_not_create_a_missing_database() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("mistyped.db").display());
    for command in [&["user", "list"][..], &["check"], &["export", "shop"], &["backup", "copy.db"]] {
        let mut ran = Command::new(ServerProcess::PROGRAM);
        let ran = ran.args(command).args(["--database-url", &url]).current_dir(folder.path()).output().await.unwrap();
        let output = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(1), "{output}");
        assert!(output.contains("mistyped.db") && output.contains("--database-url"), "{output}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn the_help_of_every_command_has_an_example() {
    let commands = [
        "serve",
        "seed",
        "organisation create",
        "organisation list",
        "user add",
        "user list",
        "user set-role",
        "user remove",
        "token create",
        "token list",
        "token revoke",
        "edge-key create",
        "edge-key list",
        "edge-key rotate",
        "edge-key revoke",
        "experiment list",
        "experiment results",
        "experiment stop",
        "backup",
        "restore",
        "check",
        "renew-epochs",
        "export",
        "import",
    ];
    for command in commands {
        let ran = Command::new(ServerProcess::PROGRAM).args(command.split(' ')).arg("--help").output().await.unwrap();
        assert!(ran.status.success());
        let help = String::from_utf8(ran.stdout).unwrap();
        for word in
            [&format!("Example: flagservice-server {command}"), "--database-url", "[default: sqlite:flagservice.db]"]
        {
            assert!(help.contains(word), "'{word}' is not in the help: {help}");
        }
    }
}
