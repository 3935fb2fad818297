//! Connections are limited in all and per address, and must send something soon.

use std::io::{Error, ErrorKind};
use std::time::Duration;

use flagservice_server::http::{ConnectionLimits, Settings};
use macro_rules_attribute::apply;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::fixture::{HANG_TIMEOUT, Server, ServerProcess, on_default_database};

/// How long these servers keep an idle connection: longer than [`HANG_TIMEOUT`], so that no test sees one end for this reason.
const IDLE_TIMEOUT: Duration = Duration::from_mins(10);

async fn connect(address: &str) -> TcpStream {
    TcpStream::connect(address).await.unwrap()
}

/// Sends a request, and returns whether there is a response. If there is none, the server has closed the connection.
async fn is_served(stream: &mut TcpStream) -> bool {
    response(stream).await.is_ok_and(|text| text.starts_with("HTTP/1.1 200"))
}

/// Sends a request, and returns the response.
async fn response(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut received = Vec::new();
    let response = async {
        stream.write_all(b"GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n").await?;
        // The body is an object.
        while !received.ends_with(b"}") {
            if stream.read_buf(&mut received).await? == 0 {
                return Err(Error::from(ErrorKind::UnexpectedEof));
            }
        }
        Ok(())
    };
    tokio::time::timeout(HANG_TIMEOUT, response).await.expect("a response or an end")?;
    Ok(String::from_utf8(received).unwrap())
}

async fn assert_third_connection_refused(address: &str) {
    let mut first = connect(address).await;
    assert!(is_served(&mut first).await);
    let mut second = connect(address).await;
    assert!(is_served(&mut second).await);
    assert!(!is_served(&mut connect(address).await).await);
    drop(first);
    let freed = async {
        while !is_served(&mut connect(address).await).await {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(HANG_TIMEOUT, freed).await.expect("the server notices the closed connection");
    assert!(is_served(&mut second).await);
}

#[apply(on_default_database)]
async fn connections_over_the_limit_of_an_address_are_closed_until_one_ends(database: Database) {
    let server = ServerProcess::start_with(&database, &["--connections-per-address", "2"]).await;
    assert_third_connection_refused(server.socket_address()).await;
}

#[apply(on_default_database)]
async fn connections_over_the_limit_of_the_node_are_closed_until_one_ends(database: Database) {
    let mut settings = Settings { head_timeout: IDLE_TIMEOUT, ..Settings::default() };
    settings.connections = ConnectionLimits { all: 2, ..settings.connections };
    assert_third_connection_refused(Server::start_with(&database, settings).await.socket_address()).await;
}

#[apply(on_default_database)]
async fn a_trusted_proxy_has_no_limit_of_connections(database: Database) {
    for proxy in ["127.0.0.0/8", "127.0.0.1"] {
        let arguments = ["--connections-per-address", "2", "--trusted-proxy", proxy];
        let server = ServerProcess::start_with(&database, &arguments).await;
        let mut open = Vec::new();
        for _ in 0..5 {
            let mut stream = connect(server.socket_address()).await;
            assert!(is_served(&mut stream).await, "{proxy}");
            open.push(stream);
        }
    }
}

#[apply(on_default_database)]
async fn a_connection_that_sends_nothing_is_closed_soon_and_others_are_served(database: Database) {
    let mut settings = Settings { head_timeout: IDLE_TIMEOUT, ..Settings::default() };
    // Long enough for the other connection to send its request on a busy machine.
    settings.connections.first_byte_timeout = Duration::from_secs(3);
    let server = Server::start_with(&database, settings).await;
    let mut other = connect(server.socket_address()).await;
    assert!(is_served(&mut other).await);
    let mut silent = connect(server.socket_address()).await;
    let mut received = Vec::new();
    let end = tokio::time::timeout(HANG_TIMEOUT, silent.read_to_end(&mut received)).await;
    assert_eq!(end.expect("the server closes the connection").unwrap(), 0);
    // A connection that has sent a request may be idle for longer.
    let served = response(&mut other).await.unwrap();
    assert!(served.starts_with("HTTP/1.1 200"), "{served}");
}
