//! The network to destinations: the operating system's, or one that a test provides.

use std::io;
use std::net::SocketAddr;

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};

/// The network that annotations and webhooks are sent over, injected wherever one is needed.
#[async_trait]
pub trait Network: Send + Sync + 'static {
    /// The addresses of a host.
    ///
    /// # Errors
    /// When the name cannot be resolved.
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>>;

    /// Connects to the first of the addresses that accepts.
    ///
    /// # Errors
    /// That of the last address, or that there is none.
    async fn connect(&self, addresses: &[SocketAddr]) -> io::Result<Box<dyn Stream>>;
}

/// A connection.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// The operating system's network.
pub struct SystemNetwork;

#[async_trait]
impl Network for SystemNetwork {
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        Ok(lookup_host((host, port)).await?.collect())
    }

    async fn connect(&self, addresses: &[SocketAddr]) -> io::Result<Box<dyn Stream>> {
        let stream = TcpStream::connect(addresses).await?;
        // A failure only costs some time.
        let _ = stream.set_nodelay(true);
        Ok(Box::new(stream))
    }
}
