//! Compression of large responses.

use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, NotForContentType, Predicate, SizeAbove};

/// Smaller bodies are not compressed: it would cost more than it saves.
pub const MIN_BYTES: u64 = 4096;

/// Compresses large responses, but no streams: a compressor would delay their events.
pub fn layer() -> CompressionLayer<And<SizeAbove, NotForContentType>> {
    CompressionLayer::new().compress_when(SizeAbove::new(MIN_BYTES).and(NotForContentType::SSE))
}
