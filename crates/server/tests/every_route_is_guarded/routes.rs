//! The routes of the server: those of the REST API from the OpenAPI document that also mounts them, the others from the source
//! code of the routers.

use std::collections::BTreeSet;
use std::path::Path;

const KNOWN_ROUTERS: [&str; 9] = [
    "api_viewer::router(",
    "health::router(",
    "sdk::router(",
    "edge::router(",
    "session::router(",
    "single_sign_on::router(",
    "admin_site::router(",
    "documentation::router(",
    "no_wasm_core::router(",
];

/// The routes of the REST API, as `METHOD path`.
pub fn rest() -> BTreeSet<String> {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    paths
        .iter()
        .flat_map(|(path, item)| item.as_object().unwrap().keys().map(move |method| (method.to_uppercase(), path)))
        .map(|(method, path)| format!("{method} {path}"))
        .collect()
}

/// All other paths.
pub fn others() -> BTreeSet<String> {
    let folder = Path::new("src/http");
    let read = |file| std::fs::read_to_string(folder.join(file)).unwrap();
    let whole = read("server/router.rs");
    for (start, merging) in whole.match_indices(".merge(") {
        let merged = &whole[start + merging.len()..];
        let known = KNOWN_ROUTERS.iter().any(|router| merged.starts_with(router));
        assert!(known, "routes are merged from an unknown router: {}", merged.lines().next().unwrap());
    }
    let source = whole
        + &read("server/health.rs")
        + &read("sdk/mod.rs")
        + &read("edge/mod.rs")
        + &read("site/session.rs")
        + &read("site/single_sign_on.rs")
        + &read("site/admin_site.rs")
        + &read("site/documentation.rs")
        + &read("site/api_viewer.rs")
        + &read("site/no_wasm_core.rs");
    let mut found = BTreeSet::new();
    for mounting in [".route(\"", ".nest(\"", ".nest_service(\""] {
        for (start, _) in source.match_indices(mounting) {
            let path = source[start + mounting.len()..].split('"').next().unwrap();
            found.insert(path.to_owned());
        }
    }
    found
}
