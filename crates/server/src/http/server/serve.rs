//! Connections: how long the head of a request may take, how large it may be, and how they end when the node stops.

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

use crate::app::App;
use crate::app::serving::drain::{self, Stage};
use crate::http::server::settings::Settings;
use crate::http::server::write_timeout::Impatient;

/// Largest head of a request, in bytes: the line with the path, which may hold a stream's token, and the headers.
const MAX_HEAD: usize = 32 * 1024;

/// How long nothing is accepted after it has failed, for instance because too many files are open.
const BREATH: Duration = Duration::from_secs(1);

/// Most that is kept of what somebody sends or reads slowly, in bytes; the system keeps at most twice as much again.
const MAX_BUFFER: usize = 64 * 1024;

/// Answers whoever connects, until the application is told to stop and what was under way is done.
pub async fn serve(listener: TcpListener, router: Router, settings: &Settings, app: Arc<App>) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(settings.head_timeout);
    http.max_header_size(MAX_HEAD).max_buf_size(MAX_BUFFER);
    // Those who connect inherit it. The system would grow it to megabytes for each who does not read.
    if let Err(error) = SockRef::from(&listener).set_send_buffer_size(MAX_BUFFER) {
        tracing::warn!(%error, "the system decides how much it keeps for slow readers");
    }
    // Nothing is ever sent: it ends when every connection has dropped its end.
    let (open, mut all_closed) = mpsc::channel::<()>(1);
    let connections = Connections {
        http,
        router,
        stage: app.drain.stage(),
        patience: settings.write_timeout,
        open,
        app: Arc::clone(&app),
    };
    let mut stage = app.drain.stage();
    tokio::select! {
        () = accept(&listener, &connections) => {}
        () = drain::begun(&mut stage) => {}
    }
    // Nobody's first words are to meet a closed door while others still point at it.
    let _ = tokio::time::timeout(settings.leave_for, accept(&listener, &connections)).await;
    close(listener, &connections);
    drop(connections);
    // Who has just connected has not asked yet: a connection that is told to end before its first request ends at once.
    if tokio::time::timeout(settings.leave_for, all_closed.recv()).await.is_ok() {
        return;
    }
    app.drain.end();
    if tokio::time::timeout(settings.finish_within, all_closed.recv()).await.is_err() {
        tracing::warn!("not every request was done in time");
    }
}

/// Closes the door behind those who have come through it already.
fn close(listener: TcpListener, connections: &Connections) {
    // Asked directly, because the runtime may not have heard yet of those who came last.
    let Ok(listener) = listener.into_std() else { return };
    while let Ok((stream, peer)) = listener.accept() {
        if let Ok(stream) = stream.set_nonblocking(true).and_then(|()| TcpStream::from_std(stream)) {
            connections.answer(stream, peer);
        }
    }
}

async fn accept(listener: &TcpListener, connections: &Connections) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => connections.answer(stream, peer),
            Err(error) if is_of_one_connection(error.kind()) => {}
            Err(error) => {
                tracing::error!(%error, "connections cannot be accepted");
                tokio::time::sleep(BREATH).await;
            }
        }
    }
}

/// What every connection is given.
#[derive(Clone)]
struct Connections {
    http: http1::Builder,
    router: Router,
    stage: watch::Receiver<Stage>,
    patience: Duration,
    open: mpsc::Sender<()>,
    app: Arc<App>,
}

impl Connections {
    fn answer(&self, stream: TcpStream, peer: SocketAddr) {
        tokio::spawn(answer(self.clone(), stream, peer));
    }
}

async fn answer(connections: Connections, stream: TcpStream, peer: SocketAddr) {
    let Connections { http, router, mut stage, patience, open, app } = connections;
    let leaving = stage.clone();
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        // A router is always ready, and a clone of one costs little.
        let answer = router.clone().call(request);
        let leaving = leaving.clone();
        async move {
            let mut answer = answer.await?;
            if *leaving.borrow() != Stage::Serving {
                answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(answer)
        }
    });
    let mut connection = pin!(http.serve_connection(TokioIo::new(Impatient::new(stream, patience)), service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = drain::ending(&mut stage) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    drop(open);
    if let Err(error) = ended {
        // Clients go as they like.
        tracing::debug!(%error, "a connection ended early");
        if was_not_read(&error) {
            app.metrics.slow_readers.inc();
        }
    }
}

/// Whether it ended because the other side did not read.
fn was_not_read(error: &hyper::Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<std::io::Error>());
    cause.is_some_and(|cause| cause.kind() == ErrorKind::TimedOut)
}

fn is_of_one_connection(kind: ErrorKind) -> bool {
    [ErrorKind::ConnectionRefused, ErrorKind::ConnectionAborted, ErrorKind::ConnectionReset].contains(&kind)
}
