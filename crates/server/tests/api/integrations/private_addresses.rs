//! Webhooks do not reach private addresses: not by an address in the URL, and not by a name that leads to one.

use flagservice_server::app::delivery::outbound::Outbound;
use flagservice_server::app::delivery::reach::Reach;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::path;
use super::webhooks::webhook;
use crate::fixture::{Receiver, Server, on_default_database, outbound};

/// Addresses in the network of the server, however they are written.
const PRIVATE: [&str; 12] = [
    "https://127.0.0.1/hook",
    "https://127.1/hook",
    "https://2130706433/hook",
    "https://0x7f.0.0.1/hook",
    "https://10.0.0.7:8443/hook",
    "https://172.16.0.1/hook",
    "https://192.168.1.1/hook",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::1]/hook",
    "https://[::ffff:10.0.0.1]/hook",
    "https://[fd00::1]/hook",
    "https://0.0.0.0/hook",
];

fn slack(url: &str) -> Value {
    json!({ "type": "slack", "enabled": true, "configuration": { "slack": { "url": url } } })
}

/// A server whose operator permits no private network.
async fn strict(database: &crate::fixture::Database, receiver: &Receiver) -> Server {
    let default = Outbound { reach: Reach::default(), ..outbound(receiver.address(), receiver.address()) };
    Server::start_with_destinations(database, default).await
}

#[apply(on_default_database)]
async fn a_url_with_a_private_address_or_without_https_is_refused_with_the_remedy(database: Database) {
    let receiver = Receiver::start().await;
    let server = strict(&database, &receiver).await;
    let administrator = server.administrator();
    let before = server.stored_rows().await;
    for url in PRIVATE {
        let refused = administrator.post(&path(""), &webhook(url)).await;
        assert_eq!(refused.pointers(), ["/configuration/webhook/url"], "{url}");
        assert!(refused.text.contains("--private-destination"), "{}", refused.text);
        assert_eq!(administrator.post(&path(""), &slack(url)).await.pointers(), ["/configuration/slack/url"], "{url}");
    }
    let plain = administrator.post(&path(""), &webhook("http://hooks.example/hook")).await;
    assert_eq!(plain.pointers(), ["/configuration/webhook/url"]);
    assert!(plain.text.contains("https://"), "{}", plain.text);
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn a_name_that_leads_to_a_private_address_is_refused_when_it_connects(database: Database) {
    let receiver = Receiver::start().await;
    let server = strict(&database, &receiver).await;
    let _time = server.run_clock_fast();
    let port = receiver.address().rsplit_once(':').unwrap().1;
    for new in [webhook, slack] {
        let url = format!("https://localhost:{port}/secret-path?key=secret-key");
        let created = server.administrator().post(&path(""), &new(&url)).await.ok(201);
        let test = path(&format!("/{}/test", created["id"].as_str().unwrap()));
        let shown = server.administrator().post(&test, &json!({})).await.ok(200);
        assert_eq!(shown["lastDeliverySuccess"], false);
        let detail = shown["lastDeliveryDetail"].as_str().unwrap();
        assert!(detail.contains("private address") && detail.contains("--private-destination"), "{detail}");
        assert!(!shown.to_string().contains("secret-"), "{shown}");
    }
    assert_eq!(receiver.received().len(), 0);
}

#[apply(on_default_database)]
async fn what_was_permitted_when_it_was_entered_is_refused_after_the_operator_forbids_it(database: Database) {
    let receiver = Receiver::start().await;
    let server = Server::start_with_destinations(&database, outbound(receiver.address(), receiver.address())).await;
    let url = format!("{}/hook", receiver.address());
    let created = server.administrator().post(&path(""), &webhook(&url)).await.ok(201);
    let test = path(&format!("/{}/test", created["id"].as_str().unwrap()));
    assert_eq!(server.administrator().post(&test, &json!({})).await.ok(200)["lastDeliverySuccess"], true);
    server.stop().await;
    let server = strict(&database, &receiver).await;
    let _time = server.run_clock_fast();
    let shown = server.administrator().post(&test, &json!({})).await.ok(200);
    assert!(shown["lastDeliveryDetail"].as_str().unwrap().contains("private address"), "{shown}");
    assert_eq!(receiver.received().len(), 1);
}
