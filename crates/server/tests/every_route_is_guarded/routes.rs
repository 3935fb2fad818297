//! The routes as the source of `http` mounts them: a router of axum's does not tell its routes.

use std::collections::BTreeSet;
use std::path::Path;

/// Where the REST API is mounted; every route that is not mounted elsewhere belongs to it.
const REST: &str = "/api/v1";

/// The routes of the REST API as `METHOD path`, and the paths of all else that is mounted. The client's own routes are
/// mounted below its key, in a folder of their own.
pub fn of_the_router() -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut rest, mut others) = (BTreeSet::new(), BTreeSet::new());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/http");
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|extension| extension == "rs") {
            let source = std::fs::read_to_string(file).unwrap();
            for (mounting, arguments) in calls(&source) {
                let path = path(&source, arguments);
                let elsewhere = path.starts_with("/health") || mounting != ".route(";
                if !elsewhere {
                    rest.extend(methods(arguments).map(|method| format!("{method} {REST}{path}")));
                } else if path != REST {
                    others.insert(path);
                }
            }
        }
    }
    (rest, others)
}

/// Each call that mounts something, with the text of its arguments.
fn calls(source: &str) -> Vec<(&'static str, &str)> {
    let mut found = Vec::new();
    for mounting in [".route(", ".nest(", ".nest_service(", ".route_service("] {
        for (start, _) in source.match_indices(mounting) {
            let rest = &source[start + mounting.len()..];
            let mut depth = 1;
            let end = rest.find(|character| {
                depth += i32::from(character == '(') - i32::from(character == ')');
                depth == 0
            });
            found.push((mounting, &rest[..end.expect("the call's end")]));
        }
    }
    assert!(!source.contains(".merge("), "a merged router hides its routes from this test");
    found
}

/// The first text of the arguments; in one that is formatted, constants of the file are put in.
fn path(source: &str, arguments: &str) -> String {
    let text = arguments.split('"').nth(1).expect("a path in quotation marks");
    if !arguments.trim_start().starts_with("&format!") {
        return text.to_owned();
    }
    let mut path = text.to_owned();
    for definition in source.split("const ").skip(1) {
        if let Some((name, value)) = definition.split_once(": &str = \"") {
            path = path.replace(&format!("{{{name}}}"), value.split('"').next().unwrap());
        }
    }
    path.replace("{{", "{").replace("}}", "}")
}

/// The methods that the arguments name handlers for.
fn methods(arguments: &str) -> impl Iterator<Item = &'static str> {
    let names = [("get(", "GET"), ("post(", "POST"), ("put(", "PUT"), ("patch(", "PATCH"), ("delete(", "DELETE")];
    names.into_iter().filter(|(call, _)| arguments.contains(call)).map(|(_, method)| method)
}
