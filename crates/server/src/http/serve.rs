//! Connections: how long the head of a request may take and how large it may be.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tower::Service as _;

use super::settings::Settings;

/// Largest head of a request, in bytes: the line with the path, which may hold a stream's token, and the headers.
const MAX_HEAD: usize = 32 * 1024;

/// How long nothing is accepted after it has failed, for instance because too many files are open.
const BREATH: Duration = Duration::from_secs(1);

/// Answers whoever connects, for as long as it is polled.
pub async fn serve(listener: TcpListener, router: Router, settings: &Settings) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(settings.head_timeout).max_header_size(MAX_HEAD);
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                tokio::spawn(answer(http.clone(), stream, peer, router.clone()));
            }
            Err(error) if is_of_one_connection(error.kind()) => {}
            Err(error) => {
                tracing::error!(%error, "connections cannot be accepted");
                tokio::time::sleep(BREATH).await;
            }
        }
    }
}

async fn answer(http: http1::Builder, stream: TcpStream, peer: SocketAddr, router: Router) {
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        // A router is always ready, and a clone of one costs little.
        router.clone().call(request)
    });
    if let Err(error) = http.serve_connection(TokioIo::new(stream), service).await {
        // Clients go as they like.
        tracing::debug!(%error, "a connection ended early");
    }
}

fn is_of_one_connection(kind: ErrorKind) -> bool {
    [ErrorKind::ConnectionRefused, ErrorKind::ConnectionAborted, ErrorKind::ConnectionReset].contains(&kind)
}
