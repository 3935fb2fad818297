//! The URLs of the regions and the public URL, as set by an operator.

use std::time::{Duration, Instant};

use flagservice_server::domain::role::Role;
use flagservice_server::store::Connection;
use macro_rules_attribute::apply;
use serde_json::{Value, json};
use sqlx::Connection as _;
use tokio::process::Command;

use crate::fixture::{Caller, Database, Receiver, ServerProcess, on_each_database, targeting_of};

const OUTBOUND: &str = "/api/v1/admin/integrations/outbound";

fn integration(region: &str) -> Value {
    let analytics = json!({ "apiKey": "key", "secretKey": "secret", "region": region });
    json!({ "type": "analytics", "enabled": true, "configuration": { "analytics": analytics } })
}

async fn create(administrator: &Caller, region: &str) -> String {
    administrator.post(OUTBOUND, &integration(region)).await.ok(201)["id"].as_str().unwrap().to_owned()
}

async fn test(administrator: &Caller, id: &str) -> Value {
    administrator.post(&format!("{OUTBOUND}/{id}/test"), &json!({})).await.ok(200)
}

#[apply(on_each_database)]
async fn each_region_has_its_own_url_with_or_without_a_path_and_a_slash(database: Database) {
    let (us, eu) = (Receiver::start().await, Receiver::start().await);
    let (to_us, to_eu) = (format!("{}/gateway/us/", us.address()), format!("{}/", eu.address()));
    let public = ["--public-url", "https://flags.example/tools/"];
    let arguments = [&["--analytics-us-url", &to_us, "--analytics-eu-url", &to_eu][..], &public].concat();
    let server = ServerProcess::start_with(&database, &arguments).await;
    let administrator = server.person(Role::Administrator);
    for (region, receiver, path) in [("US", &us, "/gateway/us/api/3/annotations"), ("EU", &eu, "/api/3/annotations")] {
        let id = create(&administrator, region).await;
        assert_eq!(test(&administrator, &id).await["lastDeliveryDetail"], "200 OK");
        let received = receiver.received();
        assert_eq!(received.len(), 1, "{region}");
        assert_eq!(received[0].line(), format!("POST {path} HTTP/1.1"));
        assert_eq!(received[0].header("host").unwrap(), receiver.address().trim_start_matches("http://"));
        let details = received[0].field("details");
        assert!(details.contains("\nhttps://flags.example/tools/integrations/"), "{details}");
    }
}

#[apply(on_each_database)]
async fn an_integration_for_a_region_without_a_url_is_rejected_and_the_error_says_who_can_help(database: Database) {
    let us = Receiver::start().await;
    let server = ServerProcess::start_with(&database, &["--analytics-us-url", us.address()]).await;
    let administrator = server.person(Role::Administrator);
    create(&administrator, "US").await;
    let refused = administrator.post(OUTBOUND, &integration("EU")).await;
    assert_eq!(refused.pointers(), ["/configuration/analytics/region"]);
    assert!(
        refused.text.contains("no address of the region EU") && refused.text.contains("operator"),
        "{}",
        refused.text
    );
}

#[apply(on_each_database)]
async fn deliveries_wait_while_their_region_has_no_url(database: Database) {
    let receiver = Receiver::start().await;
    let address = ["--analytics-us-url", receiver.address()];
    let id = create(&ServerProcess::start_with(&database, &address).await.person(Role::Administrator), "US").await;

    let mut server = ServerProcess::start(&database).await;
    let administrator = server.person(Role::Administrator);
    administrator.patch(&targeting_of("express-delivery", "staging"), &json!({ "offVariantKey": "on" })).await.ok(200);
    let shown = test(&administrator, &id).await;
    let detail = shown["lastDeliveryDetail"].as_str().unwrap();
    assert!(detail.starts_with("Not sent: this server has no URL for the region US."), "{detail}");
    assert_eq!(receiver.received().len(), 0);
    assert_tried_once_a_second(&database).await;
    // What was read can be written back, so that it can be switched off.
    for enabled in [false, true] {
        let body = json!({ "type": shown["type"], "enabled": enabled, "configuration": shown["configuration"] });
        let written = administrator.put(&format!("{OUTBOUND}/{id}"), &body).await.ok(200);
        assert_eq!(written["enabled"], enabled, "{written}");
    }
    let other = administrator.put(&format!("{OUTBOUND}/{id}"), &integration("EU")).await;
    assert_eq!(other.pointers(), ["/configuration/analytics/region"], "another region needs an address");
    server.terminate();
    assert_eq!(server.exit_code().await, Some(0));

    let _server = ServerProcess::start_with(&database, &address).await;
    assert_eq!(receiver.labels(1).await, ["Alma Lindqvist updated Express delivery in Staging"]);
}

/// Each attempt to deliver renews the lease. If one followed another at once, they would keep the database busy.
async fn assert_tried_once_a_second(database: &Database) {
    let mut connection = Connection::connect(database.url()).await.unwrap();
    let mut renewed = async |since: i64| loop {
        let beat: i64 =
            sqlx::query_scalar("SELECT lease_beat FROM integrations").fetch_one(&mut connection).await.unwrap();
        if beat > since {
            return beat;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    renewed(0).await;
    // Before the read, after which the test may have to wait for a processor.
    let start = Instant::now();
    let first = renewed(0).await;
    renewed(first + 2).await;
    assert!(start.elapsed() > Duration::from_secs(1), "{:?}", start.elapsed());
    connection.close().await.unwrap();
}

#[tokio::test]
async fn an_invalid_url_is_rejected_with_the_name_of_its_setting() {
    let folder = tempfile::tempdir().unwrap();
    for (text, why) in [
        ("", "begins with https:// or http://"),
        ("analytics.example", "begins with https:// or http://"),
        ("ftp://analytics.example", "begins with https:// or http://"),
        ("https://", "names a host"),
        ("https:///api", "names a host"),
        ("https://:8070", "names a host"),
        ("https://key:secret@analytics.example", "no user"),
        ("https://analytics.example?region=eu", "no user, query"),
        ("https://analytics.example/#eu", "no user, query, fragment"),
        ("https://analytics.example/a b", "blank"),
        ("https://analytics.example:port", "port"),
        ("https://analytics.example:99999", "port"),
        ("https://[::1", "names a host"),
        ("https://analytics_<example>", "names a host"),
        ("https://analytics.example/ä", "has to be escaped"),
    ] {
        for setting in ["analytics-us-url", "analytics-eu-url", "public-url"] {
            let mut by_flag = Command::new(ServerProcess::PROGRAM);
            by_flag.args(["serve", &format!("--{setting}={text}")]);
            let mut by_environment = Command::new(ServerProcess::PROGRAM);
            let name = format!("FLAGSERVICE_{}", setting.replace('-', "_").to_uppercase());
            by_environment.arg("serve").env(name, text);
            for mut command in [by_flag, by_environment] {
                let output = command.current_dir(folder.path()).kill_on_drop(true).output().await.unwrap();
                let message = String::from_utf8(output.stderr).unwrap();
                assert!(!output.status.success(), "{setting}={text}");
                assert!(
                    message.contains(&format!("--{setting}")) && message.contains(why),
                    "{setting}={text}: {message}"
                );
            }
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no database was created");
}

#[apply(on_each_database)]
async fn an_https_destination_needs_a_trusted_certificate(database: Database) {
    let receiver = Receiver::start().await;
    let (address, certificate) = receiver.with_tls().await;
    let trusted = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(trusted.path(), certificate).unwrap();
    let mut command = Command::new(ServerProcess::PROGRAM);
    command.env("SSL_CERT_FILE", trusted.path()).env("FLAGSERVICE_ANALYTICS_EU_URL", &address);
    let server = ServerProcess::start_with_command(&database, command).await;
    let administrator = server.person(Role::Administrator);
    let id = create(&administrator, "EU").await;
    assert_eq!(test(&administrator, &id).await["lastDeliveryDetail"], "200 OK");
    assert_eq!(receiver.received()[0].header("host").unwrap(), address.trim_start_matches("https://"));
}
