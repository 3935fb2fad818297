//! The documentation that the binary serves below `/docs`.

use flagservice_server::http::Settings;
use macro_rules_attribute::apply;
use reqwest::Method;
use tempfile::TempDir;

use crate::fixture::{ApiResponse, Caller, Server, on_sqlite};

/// The `Accept` header of a browser navigation.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

async fn open(caller: &Caller, path: &str) -> ApiResponse {
    caller.send(caller.request(Method::GET, path).header("accept", BROWSER)).await
}

/// A server with two pages of documentation in a folder.
async fn with_documentation(database: &crate::fixture::Database) -> (Server, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in [
        ("index.html", "<!doctype html><title>First</title>"),
        ("guide/start/index.html", "<!doctype html><title>Start</title>"),
        ("guide/start.md", "# Start"),
        ("llms.txt", "# Flag Service"),
        ("404.html", "<!doctype html><title>None</title>"),
        ("assets/docs-1a2b3c.css", "p {}"),
        ("assets/docs-4d5e6f.js", "let number = 1;"),
    ] {
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, content).unwrap();
    }
    let settings = Settings { documentation: Some(folder.path().to_owned()), ..Settings::default() };
    (Server::start_with(database, settings).await, folder)
}

#[apply(on_sqlite)]
async fn each_page_is_public_and_has_a_strict_content_security_policy(database: Database) {
    let (server, _folder) = with_documentation(&database).await;
    let anonymous = server.anonymous();
    for (path, title) in
        [("/docs", "First"), ("/docs/", "First"), ("/docs/guide/start", "Start"), ("/docs/guide/start/", "Start")]
    {
        // A URL without the final slash redirects to the one with it.
        let page = open(&anonymous, path).await;
        assert_eq!(page.status, 200, "{path}");
        assert_eq!(page.text, format!("<!doctype html><title>{title}</title>"), "{path}");
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        assert_eq!(page.header("cache-control"), Some("no-cache"));
        assert_eq!(page.header("content-security-policy"), Some(POLICY));
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(page.header("referrer-policy"), Some("same-origin"));
        assert_eq!(page.header("cross-origin-opener-policy"), Some("same-origin"));
    }
    let head = anonymous.send(anonymous.request(Method::HEAD, "/docs/guide/start/")).await;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    assert_eq!(head.header("content-type"), Some("text/html; charset=utf-8"));
}

#[apply(on_sqlite)]
async fn an_unchanged_page_is_not_sent_again(database: Database) {
    let (server, folder) = with_documentation(&database).await;
    let anonymous = server.anonymous();
    let etag = open(&anonymous, "/docs/").await.header("etag").unwrap().to_owned();
    assert_ne!(open(&anonymous, "/docs/guide/start/").await.header("etag"), Some(etag.as_str()));
    for known in [etag.clone(), format!("\"other\", {etag}"), "*".to_owned()] {
        let again = anonymous.request(Method::GET, "/docs/").header("if-none-match", &known);
        let again = anonymous.send(again).await;
        assert_eq!((again.status, again.text.as_str()), (304, ""), "{known}");
        assert_eq!(again.header("etag"), Some(etag.as_str()));
    }
    std::fs::write(folder.path().join("index.html"), "<!doctype html><title>Other</title>").unwrap();
    let changed = anonymous.send(anonymous.request(Method::GET, "/docs/").header("if-none-match", &etag)).await;
    assert_eq!(changed.status, 200);
    assert_ne!(changed.header("etag"), Some(etag.as_str()));
}

#[apply(on_sqlite)]
async fn pages_are_also_markdown_with_a_list_of_them(database: Database) {
    let (server, _folder) = with_documentation(&database).await;
    let anonymous = server.anonymous();
    for (path, kind, content) in [
        ("/docs/guide/start.md", "text/markdown; charset=utf-8", "# Start"),
        ("/docs/llms.txt", "text/plain; charset=utf-8", "# Flag Service"),
    ] {
        let file = anonymous.get(path).await;
        assert_eq!((file.status, file.text.as_str()), (200, content), "{path}");
        assert_eq!(file.header("content-type"), Some(kind));
        assert_eq!(file.header("cache-control"), Some("no-cache"));
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
        let again = anonymous.request(Method::GET, path).header("if-none-match", file.header("etag").unwrap());
        assert_eq!(anonymous.send(again).await.status, 304, "{path}");
    }
    for path in ["/docs/guide/none.md", "/docs/guide/llms.txt", "/docs/..%2Fguide.md"] {
        anonymous.get(path).await.problem(404, "no-such-path");
    }
}

#[apply(on_sqlite)]
async fn documentation_assets_are_cached_for_ever(database: Database) {
    let (server, _folder) = with_documentation(&database).await;
    let anonymous = server.anonymous();
    for (name, kind) in
        [("docs-1a2b3c.css", "text/css; charset=utf-8"), ("docs-4d5e6f.js", "text/javascript; charset=utf-8")]
    {
        let file = anonymous.get(&format!("/docs/assets/{name}")).await;
        assert_eq!(file.status, 200, "{name}");
        assert_eq!(file.header("content-type"), Some(kind));
        assert_eq!(file.header("cache-control"), Some("public, max-age=31536000, immutable"));
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
    }
}

#[apply(on_sqlite)]
async fn not_found_is_a_page_for_browsers_and_a_problem_for_programs(database: Database) {
    let (server, folder) = with_documentation(&database).await;
    let anonymous = server.anonymous();
    let outside = folder.path().parent().unwrap().join("flagservice-outside.html");
    std::fs::write(&outside, "outside").unwrap();
    for path in [
        "/docs/none",
        "/docs/none/",
        "/docs/guide/",
        "/docs/..%2Fflagservice-outside.html",
        "/docs/guide%2F..%2F..%2F",
        "/docs/%2Fetc/",
        "/docs/404.html",
    ] {
        let page = open(&anonymous, path).await;
        assert_eq!(page.status, 404, "{path}");
        assert_eq!(page.text, "<!doctype html><title>None</title>", "{path}");
        assert_eq!(page.header("content-security-policy"), Some(POLICY));
        anonymous.get(path).await.problem(404, "no-such-path");
    }
    std::fs::remove_file(outside).unwrap();
    anonymous.get("/docs/assets/none.js").await.problem(404, "no-such-path");
    anonymous.get("/docs/assets/..%2Findex.html").await.problem(404, "no-such-path");
    let post = anonymous.send(anonymous.request(Method::POST, "/docs/").header("accept", BROWSER)).await;
    assert_eq!(post.status, 405);
}

#[apply(on_sqlite)]
async fn without_built_documentation_the_page_says_how_to_build_it(database: Database) {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { documentation: Some(folder.path().to_owned()), ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    for path in ["/docs", "/docs/quick-start/"] {
        let page = open(&server.anonymous(), path).await;
        assert_eq!(page.status, 404, "{path}");
        assert!(page.text.contains("node scripts/build-docs.mjs"), "{}", page.text);
        assert_eq!(page.header("content-security-policy"), Some(POLICY));
    }
}

#[apply(on_sqlite)]
async fn the_binary_embeds_the_documentation_that_was_built(database: Database) {
    let built = std::path::Path::new("../../dist/docs/index.html");
    let server = Server::start(&database).await;
    let page = open(&server.anonymous(), "/docs/").await;
    match std::fs::read_to_string(built) {
        Ok(document) => assert_eq!((page.status, page.text), (200, document)),
        Err(_) => assert!(page.text.contains("is not in this build"), "{}", page.text),
    }
}
