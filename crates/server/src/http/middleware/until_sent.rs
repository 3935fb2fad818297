//! Bodies that hold something until their last byte is sent, or their connection is closed.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};

/// The body, which holds `held` until everything of it is sent.
pub fn until_sent<T: Send + Sync + 'static>(body: Body, held: T) -> Body {
    if body.is_end_stream() {
        return body;
    }
    Body::new(HoldingBody { body, held: Arc::new(held) })
}

struct HoldingBody<T> {
    body: Body,
    held: Arc<T>,
}

/// A part of the body. The connection drops a body when it has taken all parts, and each part when it has sent it.
struct HoldingBytes<T> {
    bytes: Bytes,
    _held: Arc<T>,
}

impl<T> AsRef<[u8]> for HoldingBytes<T> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl<T: Send + Sync + 'static> HttpBody for HoldingBody<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let polled = ready!(Pin::new(&mut self.body).poll_frame(cx));
        let held = Arc::clone(&self.held);
        let hold = |bytes| Bytes::from_owner(HoldingBytes { bytes, _held: held });
        Poll::Ready(polled.map(|frame| frame.map(|frame| frame.map_data(hold))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
