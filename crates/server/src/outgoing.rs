//! One HTTP/1.1 request over a connection of its own, to other services: destinations and the identity provider.

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};

/// The maximum size of the response headers in bytes.
const MAX_HEADER_BYTES: usize = 64 * 1024;

/// Sends the request, and has `read` read the response. The caller limits the time.
///
/// # Errors
/// When the connection ends before there is a response, or the response is not HTTP.
pub async fn exchange<S, T>(
    stream: S,
    request: Request<Full<Bytes>>,
    read: impl AsyncFnOnce(Response<Incoming>) -> T,
) -> hyper::Result<T>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let mut handshake = http1::Builder::new();
    handshake.title_case_headers(true).max_buf_size(MAX_HEADER_BYTES);
    let (mut sender, connection) = handshake.handshake(TokioIo::new(stream)).await?;
    let response = async { Ok(read(sender.send_request(request).await?).await) };
    let (mut response, mut connection) = (std::pin::pin!(response), std::pin::pin!(connection));
    tokio::select! {
        response = &mut response => response,
        // The response may be complete although the connection has ended.
        _ = &mut connection => response.await,
    }
}
