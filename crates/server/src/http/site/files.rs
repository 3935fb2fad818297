//! Files that were built before the server: in the binary, or in a folder instead.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;
use sha2::{Digest as _, Sha256};

use crate::http::extract::accepted_encoding::accepts_encoding;
use crate::http::problem::no_such_path;
use crate::http::site::static_body::StaticBodies;
use crate::serving::Serving;

/// `Cache-Control` for files whose names change with their contents.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Where files come from.
#[derive(Clone)]
pub struct Files {
    embedded: fn(&str) -> Option<File>,
    /// Read again for each request. `None`: the files in the binary.
    folder: Option<Arc<PathBuf>>,
    serving: Arc<Serving>,
    bodies: Arc<StaticBodies>,
}

/// A file, and the SHA-256 of its content.
pub struct File {
    pub content: Bytes,
    pub hash: [u8; 32],
}

impl Files {
    /// The files in the folder, or those in the binary if there is no folder.
    pub fn new<E: Embed>(folder: Option<PathBuf>, serving: &Arc<Serving>) -> Self {
        let (folder, serving) = (folder.map(Arc::new), Arc::clone(serving));
        Self { embedded: embedded::<E>, folder, serving, bodies: Arc::default() }
    }

    pub async fn read(&self, path: &str) -> Option<File> {
        let Some(folder) = &self.folder else { return (self.embedded)(path) };
        // A path must not leave the folder.
        if !Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        let content = tokio::fs::read(folder.join(path)).await.ok()?;
        let hash = Sha256::digest(&content).into();
        Some(File { content: content.into(), hash })
    }

    /// A response with the file, compressed with gzip if the caller accepts that.
    pub async fn response(&self, File { content, hash }: File, headers: &HeaderMap) -> Response {
        self.bodies.body(content, hash).response(&self.serving, headers).await
    }

    /// The response with a file of the folder `assets`, compressed with Brotli if the build has compressed it and the browser accepts it.
    pub async fn asset(&self, name: &str, headers: &HeaderMap, uri: Uri) -> Response {
        let path = format!("assets/{name}");
        if accepts_encoding(headers, "br")
            && let Some(file) = self.read(&format!("{path}.br")).await
        {
            let mut response = immutable(name, file.content);
            response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
            response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
            return response;
        }
        match self.read(&path).await {
            Some(file) => immutable(name, self.response(file, headers).await),
            None => no_such_path(uri).await.into_response(),
        }
    }
}

/// The response with a file that browsers may keep for ever.
pub fn immutable(name: &str, content: impl IntoResponse) -> Response {
    let kind = content_type(name);
    let headers = [
        (header::CONTENT_TYPE, kind.as_str()),
        (header::CACHE_CONTROL, IMMUTABLE),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, content).into_response()
}

/// The content type of a file, by its name.
fn content_type(name: &str) -> String {
    // mime_guess still has the type that RFC 9239 replaced.
    let name = if name.ends_with(".mjs") { "module.js" } else { name };
    let kind = mime_guess::from_path(name).first_or_octet_stream();
    if kind.type_() == "text" { format!("{kind}; charset=utf-8") } else { kind.to_string() }
}

fn embedded<E: Embed>(path: &str) -> Option<File> {
    let file = E::get(path)?;
    let hash = file.metadata.sha256_hash();
    let content = match file.data {
        Cow::Borrowed(content) => Bytes::from_static(content),
        Cow::Owned(content) => content.into(),
    };
    Some(File { content, hash })
}
