//! TLS to PostgreSQL: `sslmode` is honoured, and off the machine nothing is sent as plaintext unless the URL asks for it.

use flagservice_server::store::Store;
use macro_rules_attribute::apply;
use serde_json::json;
use sqlx::{Connection as _, PgConnection};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::fixture::{Database, EncryptedCluster, Server, on_postgres};

/// What a client sends to ask for encryption: its length and a number.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// The error when opening this URL.
async fn open_error(url: &str) -> String {
    format!("{:#}", Store::open(url).await.err().expect("opening should fail"))
}

#[apply(on_postgres)]
async fn nodes_run_on_a_postgres_that_takes_encrypted_connections_only(_database: Database) {
    let cluster = EncryptedCluster::start().await;
    let verified = format!("sslmode=verify-full&sslrootcert={}", cluster.certificate().display());
    let database = Database::at(cluster.url("127.0.0.1", &verified)).await;
    let (first, second) = (Server::start(&database).await, Server::start(&database).await);
    let browser = second.browser("production");
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    first.switch_search_suggestions("production", false).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));

    let mut operator = PgConnection::connect(database.url()).await.unwrap();
    let connections = "SELECT COUNT(*), bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
        WHERE client_addr IS NOT NULL";
    let (count, all_encrypted): (i64, bool) = sqlx::query_as(connections).fetch_one(&mut operator).await.unwrap();
    assert!(count > 4 && all_encrypted, "{count} connections, encrypted: {all_encrypted}");
}

#[apply(on_postgres)]
async fn sslmode_decides_whether_a_certificate_is_accepted(_database: Database) {
    let cluster = EncryptedCluster::start().await;
    let root = format!("sslrootcert={}", cluster.certificate().display());
    for (host, parameters, refusal) in [
        ("127.0.0.1", "", None),
        ("127.0.0.1", "sslmode=allow", None),
        ("127.0.0.1", "sslmode=prefer", None),
        ("127.0.0.1", "sslmode=require", None),
        ("127.0.0.1", "sslmode=disable", Some("no encryption")),
        ("127.0.0.1", "sslmode=verify-ca", Some("sslrootcert")),
        ("127.0.0.1", "sslmode=verify-full", Some("sslrootcert")),
        ("127.0.0.1", &format!("sslmode=verify-full&{root}"), None),
        ("localhost", &format!("sslmode=verify-ca&{root}"), None),
        ("localhost", &format!("sslmode=verify-full&{root}"), Some("host as in the certificate")),
        ("127.0.0.1", "sslmode=verify-full&sslrootcert=/nowhere/ca.pem", Some("'/nowhere/ca.pem' of sslrootcert")),
        // As off the machine: 0.0.0.0 is no loopback address, and leads there nevertheless.
        ("0.0.0.0", "", None),
        ("0.0.0.0", "sslmode=disable", Some("no encryption")),
    ] {
        let url = cluster.url(host, parameters);
        match refusal {
            None => Store::open(&url).await.unwrap().close().await,
            Some(refusal) => {
                let error = open_error(&url).await;
                assert!(error.contains(refusal), "{parameters}: {error}");
            }
        }
    }
}

/// A server that knows no encryption, and what it gets on its first connection.
async fn plaintext_server() -> (u16, JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let received = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut received = vec![0; SSL_REQUEST.len()];
        stream.read_exact(&mut received).await.unwrap();
        if received == SSL_REQUEST {
            stream.write_all(b"N").await.unwrap();
        }
        let mut next = [0; 100];
        let length = stream.read(&mut next).await.unwrap();
        [received, next[..length].to_vec()].concat()
    });
    (port, received)
}

#[tokio::test]
async fn plaintext_is_refused_off_the_loopback_unless_the_url_asks_for_it() {
    for parameters in ["", "?sslmode=prefer", "?sslmode=allow", "?sslmode=require"] {
        let (port, received) = plaintext_server().await;
        let error = open_error(&format!("postgres://shop:canary@0.0.0.0:{port}/flags{parameters}")).await;
        for words in ["offers no encryption", "ssl = on", "sslmode=disable", "--database-url"] {
            assert!(error.contains(words), "{parameters}: {error}");
        }
        assert_eq!(received.await.unwrap(), SSL_REQUEST, "{parameters}");
    }
    for (host, parameters) in [("0.0.0.0", "?sslmode=disable"), ("127.0.0.1", "?sslmode=disable"), ("127.0.0.1", "")] {
        let (port, received) = plaintext_server().await;
        open_error(&format!("postgres://shop:canary@{host}:{port}/flags{parameters}")).await;
        let received = String::from_utf8_lossy(&received.await.unwrap()).into_owned();
        assert!(received.contains("shop"), "{host}{parameters}: {received:?}");
    }
}
