//! `/health`, and unknown paths.

use macro_rules_attribute::apply;
use reqwest::Method;

use crate::fixture::{Server, on_default_database};

#[apply(on_default_database)]
async fn a_running_server_is_live_and_ready(database: Database) {
    let anonymous = Server::start(&database).await.anonymous();
    assert_eq!(anonymous.get("/health/live").await.ok(200)["status"], "live");
    assert_eq!(anonymous.get("/health/ready").await.ok(200)["status"], "ready");
}

#[apply(on_default_database)]
async fn an_unknown_path_is_a_problem_that_does_not_repeat_the_key(database: Database) {
    let anonymous = Server::start(&database).await.anonymous();
    for path in ["/", "/nowhere", "/api/v1", "/api/v1/nowhere", "/api/v2/projects", "/clients/v1/js-secret/load"] {
        let response = anonymous.get(path).await;
        response.problem(404, "no-such-path");
        assert!(!response.text.contains("js-secret"), "{}", response.text);
    }
}

#[apply(on_default_database)]
async fn an_unsupported_method_is_rejected_with_the_supported_ones(database: Database) {
    let administrator = Server::start(&database).await.administrator();
    let response = administrator.send(administrator.request(Method::DELETE, "/api/v1/projects")).await;
    response.problem(405, "method-not-allowed");
    let mut allowed: Vec<_> = response.header("allow").unwrap().split(',').map(str::trim).collect();
    allowed.sort_unstable();
    assert_eq!(allowed, ["GET", "HEAD", "POST"]);
}
