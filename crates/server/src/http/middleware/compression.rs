//! Compression of answers, where it pays.

use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, NotForContentType, Predicate, SizeAbove};

/// Bodies under this size are sent as they are: compressing them costs more than it saves.
const WORTH_COMPRESSING: u64 = 4096;

/// Compresses long answers for those who take it; a stream never, because a compressor holds back what it is given.
pub fn layer() -> CompressionLayer<And<SizeAbove, NotForContentType>> {
    CompressionLayer::new().compress_when(SizeAbove::new(WORTH_COMPRESSING).and(NotForContentType::SSE))
}
