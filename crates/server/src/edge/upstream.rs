//! Requests to the upstream: one for each connection.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderValue, USER_AGENT};
use hyper::{Request, Response};
use tokio_rustls::rustls::pki_types::ServerName;
use url::Url;

use crate::network::{Network, Stream};
use crate::outgoing::exchange;
use crate::secret::Secret;
use crate::tls::Tls;

/// How long it may take to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
pub(super) enum UpstreamError {
    /// The URL has no host.
    #[error("the URL of the upstream cannot be used")]
    Url,
    /// The connection failed.
    #[error("could not connect: {0}")]
    Connect(#[from] io::Error),
    /// It took too long.
    #[error("no connection within {} s", CONNECT_TIMEOUT.as_secs())]
    Timeout,
    /// The response is not valid.
    #[error("no valid HTTP response: {0}")]
    Http(#[from] hyper::Error),
}

/// The upstream of an edge.
pub(super) struct Upstream {
    url: Url,
    key: Secret,
    network: Arc<dyn Network>,
    tls: Tls,
}

impl Upstream {
    pub(super) fn new(url: Url, key: Secret, network: Arc<dyn Network>) -> Self {
        Self { url, key, network, tls: Tls::default() }
    }

    /// Sends a request with a JSON body, and has `read` read the response. The caller limits the time of both.
    pub(super) async fn post<T>(
        &self,
        path: &str,
        body: Vec<u8>,
        read: impl AsyncFnOnce(Response<Incoming>) -> T,
    ) -> Result<T, UpstreamError> {
        let request = self.request(path, body).ok_or(UpstreamError::Url)?;
        let connected = tokio::time::timeout(CONNECT_TIMEOUT, self.connect()).await;
        let stream = connected.map_err(|_| UpstreamError::Timeout)??;
        Ok(exchange(stream, request, read).await?)
    }

    fn request(&self, path: &str, body: Vec<u8>) -> Option<Request<Full<Bytes>>> {
        let host = match self.url.port() {
            Some(port) => format!("{}:{port}", self.url.host_str()?),
            None => self.url.host_str()?.to_owned(),
        };
        let target = format!("{}{path}", self.url.path().trim_end_matches('/'));
        let mut authorization = HeaderValue::from_str(&format!("Bearer {}", self.key.reveal())).ok()?;
        authorization.set_sensitive(true);
        let request = Request::post(target)
            .header(HOST, host)
            .header(AUTHORIZATION, authorization)
            .header(CONTENT_TYPE, "application/json")
            .header(USER_AGENT, "FlagService edge");
        request.body(Full::from(body)).ok()
    }

    async fn connect(&self) -> Result<Box<dyn Stream>, UpstreamError> {
        let (Some(host), Some(port)) = (self.url.host_str(), self.url.port_or_known_default()) else {
            return Err(UpstreamError::Url);
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let addresses = self.network.resolve(host, port).await?;
        let stream = self.network.connect(&addresses).await?;
        if self.url.scheme() != "https" {
            return Ok(stream);
        }
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        Ok(Box::new(self.tls.connector()?.connect(name, stream).await?))
    }
}
