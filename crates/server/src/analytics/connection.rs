//! One request per connection: no pool, no redirects, no proxy, and only the beginning of the response body. Private
//! addresses are refused where people enter the URL.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{HeaderMap, HeaderValue};
use hyper::{Request, StatusCode, Uri};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::rustls::pki_types::ServerName;

use crate::app::delivery::reach::Reach;
use crate::clock::Clock;
use crate::network::{Network, Stream};
use crate::outgoing::exchange;
use crate::tls::Tls;

/// The maximum number of bytes read of a response body.
const MAX_BODY_BYTES: usize = 2_048;

/// How long the response body may take after the headers.
const BODY_TIMEOUT: Duration = Duration::from_secs(2);

/// The response of a destination.
pub(super) struct Response {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    /// The beginning of the body, as far as it was received.
    pub(super) body: String,
    /// Whether there may be more of it.
    pub(super) is_cut: bool,
}

/// The response to an attempt; the prefix says what failed before it could be made.
pub(super) type Answer = Result<(Response, Option<&'static str>), String>;

/// Why there was no response.
#[derive(Debug)]
pub(super) enum RequestError {
    /// The URL is not usable.
    InvalidUrl(String),
    /// The host has no address that webhooks may reach.
    Private,
    /// The connection failed.
    Connect(io::Error),
    /// The TLS handshake failed.
    Tls(io::Error),
    /// The response was invalid, or its headers were incomplete.
    Http(hyper::Error),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidUrl(reason) => write!(f, "No response: the URL is invalid: {reason}."),
            Self::Private => f.write_str(
                "Not sent: the URL leads to a private address, which webhooks must not reach. Use a public address, or ask the \
                 operator to permit the network with --private-destination.",
            ),
            Self::Connect(error) => write!(f, "No response: could not connect: {error}."),
            Self::Tls(error) => write!(f, "No response: TLS handshake failed: {error}."),
            Self::Http(error) if error.is_parse() => write!(f, "No response: not a valid HTTP response: {error}."),
            Self::Http(error) => write!(f, "No response: the connection was closed too early: {error}."),
        }
    }
}

/// A request.
pub(super) struct Post<'a> {
    pub(super) url: &'a str,
    /// The headers that the destination needs, in addition to those of each request.
    pub(super) headers: Vec<(&'static str, HeaderValue)>,
    /// JSON.
    pub(super) body: Bytes,
    /// The addresses that may be reached; none: the operator has set the URL, and all may be.
    pub(super) reach: Option<&'a Reach>,
}

/// Opens connections to destinations, with the trusted certificates of the system.
pub(super) struct Connector {
    clock: Arc<dyn Clock>,
    network: Arc<dyn Network>,
    tls: Tls,
}

impl Connector {
    pub(super) fn new(clock: Arc<dyn Clock>, network: Arc<dyn Network>) -> Self {
        Self { clock, network, tls: Tls::default() }
    }

    /// Posts JSON and reads the response. The caller limits the time.
    pub(super) async fn post(&self, Post { url, headers, body, reach }: Post<'_>) -> Result<Response, RequestError> {
        let invalid_url = |reason: &str| RequestError::InvalidUrl(reason.to_owned());
        let uri: Uri = url.parse().map_err(|_| invalid_url("not a URL"))?;
        let host = uri.host().ok_or_else(|| invalid_url("no host"))?.to_owned();
        let secure = uri.scheme_str() == Some("https");
        let port = uri.port_u16().unwrap_or(if secure { 443 } else { 80 });
        let authority = uri.authority().map(|authority| authority.as_str()).unwrap_or_default();
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let request = headers
            .into_iter()
            .fold(Request::post(path).header("Host", authority), |request, (name, value)| request.header(name, value))
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .header("User-Agent", "FlagService")
            .header("Connection", "close")
            .body(Full::new(body))
            .map_err(|_| invalid_url("not valid in a request"))?;
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let stream = self.connect(host, port, secure, reach).await?;
        if !secure {
            return self.exchange(stream, request).await;
        }
        let name = ServerName::try_from(host.to_owned()).map_err(|_| invalid_url("the host is not valid for TLS"))?;
        let tls = self.tls.connector().map_err(RequestError::Tls)?;
        let stream = tls.connect(name, stream).await.map_err(RequestError::Tls)?;
        self.exchange(stream, request).await
    }

    async fn exchange<S>(&self, stream: S, request: Request<Full<Bytes>>) -> Result<Response, RequestError>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send,
    {
        let read = async |response| read(&*self.clock, response).await;
        exchange(stream, request, read).await.map_err(RequestError::Http)
    }

    /// Connects to an address of the host that may be reached. The name is resolved once: what is checked is what is connected to.
    async fn connect(
        &self,
        host: &str,
        port: u16,
        secure: bool,
        reach: Option<&Reach>,
    ) -> Result<Box<dyn Stream>, RequestError> {
        let mut addresses = self.network.resolve(host, port).await.map_err(RequestError::Connect)?;
        if let Some(reach) = reach {
            addresses.retain(|address| reach.permits(address.ip(), secure));
            if addresses.is_empty() {
                return Err(RequestError::Private);
            }
        }
        self.network.connect(&addresses).await.map_err(RequestError::Connect)
    }
}

/// Reads a response. The status counts even if the body is incomplete. The body of a success is not needed.
async fn read(clock: &dyn Clock, response: hyper::Response<Incoming>) -> Response {
    let (head, mut stream) = response.into_parts();
    let mut body = Vec::new();
    let read = async {
        while !head.status.is_success() && body.len() < MAX_BODY_BYTES {
            match stream.frame().await {
                Some(Ok(frame)) => body.extend_from_slice(frame.data_ref().map_or(&[], |data| &**data)),
                Some(Err(_)) => return true,
                None => return false,
            }
        }
        true
    };
    let is_cut = tokio::select! {
        is_cut = read => is_cut,
        () = clock.sleep(BODY_TIMEOUT) => true,
    };
    body.truncate(MAX_BODY_BYTES);
    let body = String::from_utf8_lossy(&body).into_owned();
    Response { status: head.status, headers: head.headers, body, is_cut }
}
