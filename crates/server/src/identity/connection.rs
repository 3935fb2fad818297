//! Requests to the identity provider: one for each connection, without redirects and proxies, with limits of time and of size.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONNECTION, HOST, HeaderValue, USER_AGENT};
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::rustls::pki_types::ServerName;
use url::Url;

use crate::identity::settings::{Issuer, is_private_enough};
use crate::outgoing::exchange;
use crate::tls::Tls;

/// How long a request may take, with its response.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The largest response. What a provider says of itself, its keys and a person with many groups are far smaller.
const MAX_BODY_BYTES: usize = 512 * 1024;

/// Why there is no response.
#[derive(Debug)]
pub(super) enum RequestError {
    /// The URL, which the provider has named, is not one for these requests.
    Url(String),
    /// The connection failed.
    Connect(io::Error),
    /// The TLS handshake failed.
    Tls(io::Error),
    /// The response is invalid or incomplete.
    Http(hyper::Error),
    /// The body is too large or incomplete.
    Body(String),
    /// It took too long.
    Timeout,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => write!(f, "{url} is not https://, or is on this machine, and the issuer is not"),
            Self::Connect(error) => write!(f, "could not connect: {error}"),
            Self::Tls(error) => write!(f, "TLS handshake failed: {error}"),
            Self::Http(error) => write!(f, "no valid HTTP response: {error}"),
            Self::Body(error) => write!(f, "no complete response of at most {MAX_BODY_BYTES} bytes: {error}"),
            Self::Timeout => write!(f, "no response within {} s", TIMEOUT.as_secs()),
        }
    }
}

impl std::error::Error for RequestError {}

/// Sends requests to the provider.
pub(super) struct Connector {
    tls: Tls,
    /// Whether the provider is on this machine, and need not encrypt. No other may name endpoints here.
    is_local: bool,
}

impl<'a> AsyncHttpClient<'a> for Connector {
    type Error = RequestError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, RequestError>> + Send + 'a>>;

    fn call(&'a self, request: HttpRequest) -> Self::Future {
        Box::pin(async {
            tokio::time::timeout(TIMEOUT, self.exchange(request)).await.unwrap_or(Err(RequestError::Timeout))
        })
    }
}

impl Connector {
    /// Sends requests to this provider.
    pub(super) fn new(issuer: &Issuer) -> Self {
        Self { tls: Tls::default(), is_local: issuer.as_str().starts_with("http://") }
    }

    async fn exchange(&self, request: HttpRequest) -> Result<HttpResponse, RequestError> {
        let text = request.uri().to_string();
        let may_ask = |url: &Url| is_private_enough(url) && (self.is_local || url.scheme() == "https");
        let url = Url::parse(&text).ok().filter(may_ask).ok_or_else(|| RequestError::Url(text.clone()))?;
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
            return Err(RequestError::Url(text));
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let request = prepared(request).ok_or(RequestError::Url(text))?;
        let stream = TcpStream::connect((host, port)).await.map_err(RequestError::Connect)?;
        if url.scheme() != "https" {
            return over(stream, request).await;
        }
        let name = ServerName::try_from(host.to_owned()).map_err(|error| RequestError::Tls(io::Error::other(error)))?;
        let tls = self.tls.connector().map_err(RequestError::Tls)?;
        over(tls.connect(name, stream).await.map_err(RequestError::Tls)?, request).await
    }
}

/// The request as HTTP/1.1 has it on the connection: with the path alone, and the host in a header.
fn prepared(request: HttpRequest) -> Option<hyper::Request<Full<Bytes>>> {
    let (mut head, body) = request.into_parts();
    let host = HeaderValue::from_str(head.uri.authority()?.as_str()).ok()?;
    head.uri = head.uri.path_and_query().map_or("/", |path| path.as_str()).parse().ok()?;
    head.headers.insert(HOST, host);
    head.headers.insert(USER_AGENT, HeaderValue::from_static("FlagService"));
    head.headers.insert(CONNECTION, HeaderValue::from_static("close"));
    Some(hyper::Request::from_parts(head, Full::from(body)))
}

async fn over<S>(stream: S, request: hyper::Request<Full<Bytes>>) -> Result<HttpResponse, RequestError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let read = async |response: hyper::Response<Incoming>| {
        let (head, body) = response.into_parts();
        let body = Limited::new(body, MAX_BODY_BYTES).collect().await;
        let body = body.map_err(|error| RequestError::Body(error.to_string()))?.to_bytes();
        Ok(HttpResponse::from_parts(head, body.to_vec()))
    };
    exchange(stream, request, read).await.map_err(RequestError::Http)?
}

#[cfg(test)]
mod tests {
    use openidconnect::AsyncHttpClient as _;

    use super::{Connector, RequestError};

    #[tokio::test]
    async fn a_provider_elsewhere_cannot_name_endpoints_on_this_machine_or_without_tls() {
        let connector = Connector::new(&"https://login.example".parse().unwrap());
        for url in ["http://127.0.0.1:9/token", "http://localhost:9/token", "http://login.example/token", "/token"] {
            let request = openidconnect::http::Request::get(url).body(Vec::new()).unwrap();
            let refused = connector.call(request).await;
            assert!(matches!(refused, Err(RequestError::Url(_))), "{url}: {refused:?}");
        }
    }
}
