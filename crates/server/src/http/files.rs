//! Files that were built before the server: inside the binary, or in a folder in their place.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use axum::body::Bytes;
use rust_embed::Embed;
use sha2::{Digest as _, Sha256};

/// Where files come from.
#[derive(Clone)]
pub struct Files {
    inside: fn(&str) -> Option<File>,
    /// Read anew each time; none: what is inside the binary.
    folder: Option<Arc<PathBuf>>,
}

/// A file, and the SHA-256 of its content.
pub struct File {
    pub content: Bytes,
    pub hash: [u8; 32],
}

impl Files {
    /// Those inside the binary, unless there is a folder.
    pub fn of<Built: Embed>(folder: Option<PathBuf>) -> Self {
        Self { inside: embedded::<Built>, folder: folder.map(Arc::new) }
    }

    pub async fn read(&self, path: &str) -> Option<File> {
        let Some(folder) = &self.folder else { return (self.inside)(path) };
        // A name may not lead out of the folder.
        if !Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        let content = tokio::fs::read(folder.join(path)).await.ok()?;
        let hash = Sha256::digest(&content).into();
        Some(File { content: content.into(), hash })
    }
}

fn embedded<Built: Embed>(path: &str) -> Option<File> {
    let file = Built::get(path)?;
    let hash = file.metadata.sha256_hash();
    let content = match file.data {
        Cow::Borrowed(content) => Bytes::from_static(content),
        Cow::Owned(content) => content.into(),
    };
    Some(File { content, hash })
}
