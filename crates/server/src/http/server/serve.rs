//! Connections: their number, timeouts and size limit of request heads, and closing when the node stops.

use std::convert::Infallible;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tower::Service as _;

use crate::http::server::connection_limits::{Connections, OpenConnection};
use crate::http::server::settings::Settings;
use crate::http::server::write_timeout::WriteTimeoutStream;
use crate::node::drain::{self, Stage};
use crate::serving::Serving;

/// The largest head of a request, in bytes: the request line, which may contain a stream token, and the headers.
const MAX_HEAD_BYTES: usize = 32 * 1024;

/// The delay before accepting connections again after an error, such as too many open files.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_secs(1);

/// The largest buffer of a connection, in bytes. The operating system buffers at most twice as much again.
const MAX_BUFFER_BYTES: usize = 64 * 1024;

/// Serves connections until the application is told to stop and requests in progress are finished.
pub async fn serve(listener: TcpListener, router: Router, settings: &Settings, serving: Arc<Serving>) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(settings.head_timeout);
    http.max_header_size(MAX_HEAD_BYTES).max_buf_size(MAX_BUFFER_BYTES);
    // Connections inherit it. The system would let it grow to megabytes for each slow reader.
    if let Err(error) = SockRef::from(&listener).set_send_buffer_size(MAX_BUFFER_BYTES) {
        tracing::warn!(%error, "cannot limit the send buffers of connections");
    }
    // Nothing is ever sent: the channel closes when the last connection has ended.
    let (open, mut all_closed) = mpsc::channel::<()>(1);
    let connections = Arc::new(Listening {
        http,
        router,
        stage: serving.node.drain.subscribe(),
        first_byte_timeout: settings.connections.first_byte_timeout,
        write_timeout: settings.write_timeout,
        counted: Arc::new(Connections::new(settings)),
        _open: open,
        serving: Arc::clone(&serving),
    });
    let mut stage = serving.node.drain.subscribe();
    tokio::select! {
        () = accept(&listener, &connections) => {}
        () = drain::begun(&mut stage) => {}
    }
    // Accept connections until load balancers have stopped sending them here.
    let _ = tokio::time::timeout(settings.leave_for, accept(&listener, &connections)).await;
    close_listener(listener, &connections);
    drop(connections);
    // A new connection may not have sent its request yet, and a graceful shutdown before the first request would close it.
    if tokio::time::timeout(settings.leave_for, all_closed.recv()).await.is_ok() {
        return;
    }
    serving.node.drain.end();
    if tokio::time::timeout(settings.finish_within, all_closed.recv()).await.is_err() {
        tracing::warn!("some requests did not finish in time; closing their connections");
    }
}

/// Closes the listener, after accepting the connections that are waiting in its queue.
fn close_listener(listener: TcpListener, connections: &Arc<Listening>) {
    // Without the runtime, which may not know about the last connections yet.
    let Ok(listener) = listener.into_std() else { return };
    while let Ok((stream, peer)) = listener.accept() {
        if let Ok(stream) = stream.set_nonblocking(true).and_then(|()| TcpStream::from_std(stream)) {
            connections.spawn(stream, peer);
        }
    }
}

async fn accept(listener: &TcpListener, connections: &Arc<Listening>) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => connections.spawn(stream, peer),
            Err(error) if is_connection_error(error.kind()) => {}
            Err(error) => {
                tracing::error!(%error, "cannot accept connections");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
    }
}

/// What every connection needs.
struct Listening {
    http: http1::Builder,
    router: Router,
    stage: watch::Receiver<Stage>,
    first_byte_timeout: Duration,
    write_timeout: Duration,
    counted: Arc<Connections>,
    /// Dropped with the last connection: then [`serve`] knows that all have ended.
    _open: mpsc::Sender<()>,
    serving: Arc<Serving>,
}

impl Listening {
    fn spawn(self: &Arc<Self>, stream: TcpStream, peer: SocketAddr) {
        match self.counted.accept(peer.ip()) {
            Some(counted) => {
                tokio::spawn(serve_connection(Arc::clone(self), stream, peer, counted));
            }
            // It is closed at once: a response would need the connection.
            None => {
                self.serving.metrics.connections_refused.inc();
            }
        }
    }
}

async fn serve_connection(connections: Arc<Listening>, stream: TcpStream, peer: SocketAddr, _counted: OpenConnection) {
    let mut stage = connections.stage.clone();
    let mut first_byte = [0];
    tokio::select! {
        received = tokio::time::timeout(connections.first_byte_timeout, stream.peek(&mut first_byte)) => {
            if received.is_err() {
                return;
            }
        }
        () = drain::ending(&mut stage) => return,
    }
    let service = service_fn(|request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        // A router is always ready, and cheap to clone.
        let response = connections.router.clone().call(request);
        let stage = &connections.stage;
        async move {
            let mut response = response.await?;
            if *stage.borrow() != Stage::Serving {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(response)
        }
    });
    let stream = TokioIo::new(WriteTimeoutStream::new(stream, connections.write_timeout));
    let mut connection = pin!(connections.http.serve_connection(stream, service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = drain::ending(&mut stage) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        // Clients may disconnect at any time.
        tracing::debug!(%error, "connection ended early");
        if is_write_timeout(&error) {
            connections.serving.metrics.slow_readers.inc();
        }
    }
}

/// Whether the connection ended because the other side did not read.
fn is_write_timeout(error: &hyper::Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<std::io::Error>());
    cause.is_some_and(|cause| cause.kind() == ErrorKind::TimedOut)
}

fn is_connection_error(kind: ErrorKind) -> bool {
    [ErrorKind::ConnectionRefused, ErrorKind::ConnectionAborted, ErrorKind::ConnectionReset].contains(&kind)
}
