//! Bodies that stay the same while the server runs. Each is compressed once, on a thread for long work: compressed in every response,
//! they would let callers without a token take the threads that serve.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use tokio::sync::OnceCell;

use crate::http::extract::accepted_encoding::accepts_encoding;
use crate::http::middleware::compression::MIN_BYTES;
use crate::serving::{Serving, client, compressed};

/// How many compressed bodies of files are kept. The binary has fewer files; a folder that is built again and again has more.
const MAX_KEPT: usize = 1_000;

/// A compressed body; none if it is hardly smaller, as that of a picture.
type Gzip = Arc<OnceCell<Option<Bytes>>>;

/// A body with its compressed form, which is made when somebody asks for it.
#[derive(Clone)]
pub struct StaticBody {
    plain: Bytes,
    gzip: Gzip,
}

impl StaticBody {
    /// Not compressed yet.
    pub fn new(plain: Bytes) -> Self {
        Self { plain, gzip: Gzip::default() }
    }

    /// The response with it, compressed if the caller accepts that and it is worthwhile.
    pub async fn response(&self, serving: &Serving, request_headers: &HeaderMap) -> Response {
        if (self.plain.len() as u64) < MIN_BYTES {
            return Response::new(Body::from(self.plain.clone()));
        }
        let gzip = if accepts_encoding(request_headers, "gzip") { self.compressed(serving).await } else { None };
        let encoding = gzip.as_ref().map(|_| HeaderValue::from_static("gzip"));
        let mut response = Response::new(Body::from(gzip.unwrap_or_else(|| self.plain.clone())));
        response.headers_mut().extend(encoding.map(|encoding| (header::CONTENT_ENCODING, encoding)));
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        response
    }

    /// Others who need it meanwhile wait without a thread.
    async fn compressed(&self, serving: &Serving) -> Option<Bytes> {
        let compress = async || {
            let plain = self.plain.clone();
            client::long_work(serving, move || {
                let gzip = compressed::gzip(&plain);
                (gzip.len() < plain.len() / 10 * 9).then(|| Bytes::from(gzip))
            })
            .await
        };
        match self.gzip.get_or_try_init(compress).await {
            Ok(gzip) => gzip.clone(),
            Err(error) => {
                tracing::warn!(%error, "a response was not compressed");
                None
            }
        }
    }
}

/// The compressed bodies of files, by the SHA-256 of their contents.
#[derive(Default)]
pub struct StaticBodies(Mutex<HashMap<[u8; 32], Gzip>>);

impl StaticBodies {
    /// The body with this content.
    pub fn body(&self, content: Bytes, hash: [u8; 32]) -> StaticBody {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_KEPT {
            known.clear();
        }
        StaticBody { plain: content, gzip: Arc::clone(known.entry(hash).or_default()) }
    }
}
