//! The administration pages that the binary serves.

use std::fs::read_to_string;
use std::path::Path;

use flagservice_server::http::Settings;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::Value;

use crate::fixture::{ApiResponse, Caller, Server, on_sqlite};

/// The `Accept` header of a browser navigation.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const DOCUMENT: &str = concat!(
    r#"<!doctype html><meta property="csp-nonce" nonce="__NONCE__">"#,
    r#"<script type="module" src="/ui/assets/app-1a2b3c.js"></script><style nonce="__NONCE__"></style>"#
);

async fn open(caller: &Caller, path: &str) -> ApiResponse {
    caller.send(caller.request(Method::GET, path).header("accept", BROWSER)).await
}

/// A server with pages in a folder.
async fn with_pages(database: &crate::fixture::Database) -> (Server, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let assets = folder.path().join("assets");
    std::fs::create_dir(&assets).unwrap();
    std::fs::write(folder.path().join("index.html"), DOCUMENT).unwrap();
    std::fs::write(folder.path().join("secret.txt"), "not an asset").unwrap();
    for (name, content) in [
        ("app-1a2b3c.js", "let number = 1;\n".repeat(1000)),
        ("app-4d5e6f.css", "p {}".to_owned()),
        ("app-4d5e6f.css.br", "compressed by the build".to_owned()),
        ("mark-7a8b9c.svg", "<svg/>".to_owned()),
    ] {
        std::fs::write(assets.join(name), content).unwrap();
    }
    let settings = Settings { admin_pages: Some(folder.path().to_owned()), ..Settings::default() };
    (Server::start_with(database, settings).await, folder)
}

#[apply(on_sqlite)]
async fn every_page_path_serves_the_document_with_a_strict_content_security_policy(database: Database) {
    let (server, _folder) = with_pages(&database).await;
    let anonymous = server.anonymous();
    let mut nonces = std::collections::BTreeSet::new();
    let paths = [
        "/",
        "/sign-in",
        "/projects/shop/features/new-checkout/environments/production",
        "/projects/shop/compare?source=a&target=b",
        "/features",
        "/audit-log",
        "/users",
        "/tokens",
        "/integrations",
        "/organisation",
    ];
    for path in paths {
        let page = open(&anonymous, path).await;
        assert_eq!(page.status, 200, "{path}");
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        assert_eq!(page.header("cache-control"), Some("no-cache"));
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(page.header("referrer-policy"), Some("same-origin"));
        assert_eq!(page.header("cross-origin-opener-policy"), Some("same-origin"));
        let nonce = page.text.split("nonce=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(page.text, DOCUMENT.replace("__NONCE__", nonce));
        let policy = page.header("content-security-policy").unwrap();
        let expected = format!(
            "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; \
             font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        );
        assert_eq!(policy, expected);
        assert!(nonce.len() >= 22, "{nonce}");
        nonces.insert(nonce.to_owned());
    }
    assert_eq!(nonces.len(), paths.len(), "each response has its own nonce");
}

#[apply(on_sqlite)]
async fn an_unknown_path_is_a_problem(database: Database) {
    let (server, _folder) = with_pages(&database).await;
    let anonymous = server.anonymous();
    for path in [
        "/api/v1/nothing",
        "/api",
        "/ui/api/v1/nothing",
        "/ui/api",
        "/ui",
        "/ui/nothing",
        "/ui/assets/none.js",
        "/client/v1",
        "/ofrep/v1/none",
        "/health",
        "/metrics/none",
        "/pages/none",
        "/ui/assets/..%2Findex.html",
        "/ui/assets/..%2Fsecret.txt",
        "/ui/assets/%2Fetc%2Fpasswd",
    ] {
        let response = open(&anonymous, path).await;
        assert!([401, 404].contains(&response.status), "{path}: {} {}", response.status, response.text);
        assert_eq!(response.header("content-type"), Some("application/problem+json"), "{path}");
    }
    // Programs do not get a page, and pages do not accept POST.
    anonymous.get("/projects/shop").await.problem(404, "no-such-path");
    let post = anonymous.request(Method::POST, "/projects/shop").header("accept", BROWSER);
    anonymous.send(post).await.problem(404, "no-such-path");
}

#[apply(on_sqlite)]
async fn the_client_s_build_without_wasm_is_served_in_its_version(database: Database) {
    let (server, _folder) = with_pages(&database).await;
    let anonymous = server.anonymous();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = read_to_string(root.join("pkg-template/flagservice-client/package.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let version = manifest["version"].as_str().unwrap();
    let built = read_to_string(root.join(format!("dist/no-wasm-core/{version}.mjs"))).expect("node scripts/build.mjs");
    let file = anonymous.get(&format!("/client/v1/no-wasm-core/{version}.mjs")).await;
    assert_eq!(file.status, 200, "{}", file.text);
    assert_eq!(file.text, built);
    assert_eq!(file.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert_eq!(file.header("access-control-allow-origin"), Some("*"));
    assert_eq!(file.header("cache-control"), Some("public, max-age=31536000, immutable"));
    let other = anonymous.get("/client/v1/no-wasm-core/1.0.0.mjs").await;
    assert!(other.text.contains(version) && other.text.contains("noWasmUrl"), "{}", other.text);
    other.problem(404, "no-such-version");
}

#[apply(on_sqlite)]
async fn page_assets_are_cached_for_ever_and_compressed(database: Database) {
    let (server, _folder) = with_pages(&database).await;
    let anonymous = server.anonymous();
    for (name, kind) in [
        ("app-1a2b3c.js", "text/javascript; charset=utf-8"),
        ("app-4d5e6f.css", "text/css; charset=utf-8"),
        ("mark-7a8b9c.svg", "image/svg+xml"),
    ] {
        let file = anonymous.get(&format!("/ui/assets/{name}")).await;
        assert_eq!(file.status, 200, "{name}");
        assert_eq!(file.header("content-type"), Some(kind));
        assert_eq!(file.header("cache-control"), Some("public, max-age=31536000, immutable"));
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
    }
    let packed = anonymous.request(Method::GET, "/ui/assets/app-1a2b3c.js").header("accept-encoding", "gzip, br");
    assert_eq!(anonymous.send(packed).await.header("content-encoding"), Some("gzip"));
}

#[apply(on_sqlite)]
async fn a_browser_that_accepts_brotli_gets_what_the_build_has_compressed(database: Database) {
    let (server, _folder) = with_pages(&database).await;
    let anonymous = server.anonymous();
    for (accepted, brotli) in [
        ("gzip, br", true),
        ("br;q=0.5, gzip", true),
        ("gzip", false),
        ("br;q=0", false),
        ("br; q=0.0, gzip", false),
        ("brotli", false),
    ] {
        let request = anonymous.request(Method::GET, "/ui/assets/app-4d5e6f.css").header("accept-encoding", accepted);
        let file = anonymous.send(request).await;
        assert_eq!(file.header("content-encoding"), brotli.then_some("br"), "{accepted}");
        assert_eq!(file.text, if brotli { "compressed by the build" } else { "p {}" }, "{accepted}");
        assert_eq!(file.header("content-type"), Some("text/css; charset=utf-8"), "{accepted}");
        assert_eq!(file.header("cache-control"), Some("public, max-age=31536000, immutable"), "{accepted}");
        assert_eq!(file.header("vary").is_some_and(|vary| vary.contains("accept-encoding")), brotli, "{accepted}");
    }
}

#[apply(on_sqlite)]
async fn without_built_pages_the_page_says_how_to_build_them(database: Database) {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { admin_pages: Some(folder.path().to_owned()), ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    let page = open(&server.anonymous(), "/projects").await;
    assert_eq!(page.status, 404);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(page.text.contains("node scripts/build-admin.mjs"), "{}", page.text);
    assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
}

#[apply(on_sqlite)]
async fn the_binary_embeds_the_pages_that_were_built(database: Database) {
    let built = std::path::Path::new("../../dist/admin/index.html");
    let server = Server::start(&database).await;
    let page = open(&server.anonymous(), "/").await;
    match std::fs::read_to_string(built) {
        Ok(document) => {
            // Without an identity provider, the page says nothing of single sign-on.
            let after = document.split("__NONCE__").last().unwrap().replace("__SINGLE_SIGN_ON__", "");
            assert_eq!(page.status, 200);
            assert!(page.text.ends_with(after.as_str()), "{}", page.text);
        }
        Err(_) => assert!(page.text.contains("are not in this build"), "{}", page.text),
    }
}
