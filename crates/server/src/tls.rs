//! TLS of outgoing connections: rustls with ring, and the trusted certificates of the system.

use std::io;
use std::sync::{Arc, OnceLock};

use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Connects with TLS. The certificates are read when it first does.
#[derive(Default)]
pub struct Tls(OnceLock<TlsConnector>);

impl Tls {
    /// The connector. The first call reads the trusted certificates of the system.
    ///
    /// # Errors
    /// When the TLS library refuses its own defaults.
    pub fn connector(&self) -> io::Result<&TlsConnector> {
        if let Some(connector) = self.0.get() {
            return Ok(connector);
        }
        let mut roots = RootCertStore::empty();
        let loaded = rustls_native_certs::load_native_certs();
        let (added, _) = roots.add_parsable_certificates(loaded.certs);
        if added == 0 {
            tracing::warn!(
                "No trusted certificates found, so https:// destinations cannot be used. Install ca-certificates, or set \
                 SSL_CERT_FILE."
            );
        }
        let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.map_err(io::Error::other)?.with_root_certificates(roots).with_no_client_auth();
        Ok(self.0.get_or_init(|| TlsConnector::from(Arc::new(config))))
    }
}
