//! One request over a connection of its own: no pool, no redirect, no proxy, and no more of an answer than can be shown.

use std::fmt;
use std::io;
use std::sync::{Arc, OnceLock};

use flagservice_rules::Instant;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{HeaderMap, HeaderValue};
use hyper::{Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::clock::Clock;

/// How much of an answer's text is read, in bytes.
const READ: usize = 2_048;

/// How long the text of an answer may take after its head, in milliseconds.
const TEXT_WITHIN: i64 = 2_000;

/// How large the head of an answer may be, in bytes.
const HEAD: usize = 64 * 1024;

/// What a destination answered.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    /// The beginning of the text, as far as it came.
    pub(super) text: String,
}

/// Why there was no answer.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// The address cannot be used.
    Address(String),
    /// Nobody answers there.
    Unreachable(io::Error),
    /// The connection could not be made secure.
    Insecure(io::Error),
    /// What came was no answer, or not the whole of its head.
    Broken(hyper::Error),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(why) => write!(f, "No answer: the address cannot be used: {why}."),
            Self::Unreachable(error) => write!(f, "No answer: the destination cannot be reached: {error}."),
            Self::Insecure(error) => write!(f, "No answer: the connection could not be made secure (TLS): {error}."),
            Self::Broken(error) if error.is_parse() => write!(f, "No answer: what came is no HTTP answer: {error}."),
            Self::Broken(error) => write!(f, "No answer: the connection broke before the answer was there: {error}."),
        }
    }
}

/// The way out, with the certificates that are trusted.
pub(super) struct Dialler {
    clock: Arc<dyn Clock>,
    tls: OnceLock<TlsConnector>,
}

impl Dialler {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, tls: OnceLock::new() }
    }

    /// What makes connections secure. Reads the certificates that the system trusts the first time.
    fn tls(&self) -> io::Result<&TlsConnector> {
        if let Some(tls) = self.tls.get() {
            return Ok(tls);
        }
        let mut roots = RootCertStore::empty();
        let found = rustls_native_certs::load_native_certs();
        let (added, _) = roots.add_parsable_certificates(found.certs);
        if added == 0 {
            tracing::warn!(
                "No trusted certificates were found: no destination with https:// can be reached. Install ca-certificates, or name a file with SSL_CERT_FILE."
            );
        }
        let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.map_err(io::Error::other)?.with_root_certificates(roots).with_no_client_auth();
        Ok(self.tls.get_or_init(|| TlsConnector::from(Arc::new(config))))
    }

    /// Posts JSON, and reads the answer. It takes as long as the destination does.
    pub(super) async fn post(&self, url: &str, authorization: HeaderValue, body: Bytes) -> Result<Answer, NoAnswer> {
        let address = |why: &str| NoAnswer::Address(why.to_owned());
        let uri: Uri = url.parse().map_err(|_| address("it is no URL"))?;
        let host = uri.host().ok_or_else(|| address("it names no host"))?.to_owned();
        let secure = uri.scheme_str() == Some("https");
        let port = uri.port_u16().unwrap_or(if secure { 443 } else { 80 });
        let authority = uri.authority().map(|authority| authority.as_str()).unwrap_or_default();
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let request = Request::post(path)
            .header("Host", authority)
            .header("Authorization", authorization)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .header("User-Agent", "FlagService")
            .header("Connection", "close")
            .body(Full::new(body))
            .map_err(|_| address("no request can be sent there"))?;
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let stream = TcpStream::connect((bare, port)).await.map_err(NoAnswer::Unreachable)?;
        // Without it nothing is lost but some time.
        let _ = stream.set_nodelay(true);
        if !secure {
            return exchange(&*self.clock, stream, request).await;
        }
        let name = ServerName::try_from(bare.to_owned()).map_err(|_| address("its host has no name for TLS"))?;
        let tls = self.tls().map_err(NoAnswer::Insecure)?;
        let stream = tls.connect(name, stream).await.map_err(NoAnswer::Insecure)?;
        exchange(&*self.clock, stream, request).await
    }
}

async fn exchange<S>(clock: &dyn Clock, stream: S, request: Request<Full<Bytes>>) -> Result<Answer, NoAnswer>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let mut handshake = http1::Builder::new();
    handshake.title_case_headers(true).max_buf_size(HEAD);
    let (mut sender, connection) = handshake.handshake(TokioIo::new(stream)).await.map_err(NoAnswer::Broken)?;
    let mut connection = std::pin::pin!(connection);
    let answer = async {
        let answer = sender.send_request(request).await.map_err(NoAnswer::Broken)?;
        let (head, mut body) = answer.into_parts();
        let mut text = Vec::new();
        // What the status says counts, whether its text comes to an end or not. Nobody reads that of a success.
        let read = async {
            while !head.status.is_success() && text.len() < READ {
                match body.frame().await {
                    Some(Ok(frame)) => text.extend_from_slice(frame.data_ref().map_or(&[], |data| &**data)),
                    Some(Err(_)) | None => break,
                }
            }
        };
        tokio::select! {
            () = read => {}
            () = clock.sleep_until(Instant(clock.now().0.saturating_add(TEXT_WITHIN))) => {}
        }
        text.truncate(READ);
        let text = String::from_utf8_lossy(&text).into_owned();
        Ok(Answer { status: head.status, headers: head.headers, text })
    };
    let mut answer = std::pin::pin!(answer);
    tokio::select! {
        answer = &mut answer => answer,
        // The answer may be there although its connection has ended.
        _ = &mut connection => answer.await,
    }
}
