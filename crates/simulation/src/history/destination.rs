//! The destinations of webhooks, and the network to them: connections are refused or slow, answers are failures, late, or lost.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use flagservice_server::app::delivery::outbound::Outbound;
use flagservice_server::app::delivery::reach::Reach;
use flagservice_server::network::{Network, Stream};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::time::sleep;

use crate::chance::Chance;
use crate::history::deliveries;
use crate::trace;

/// The network of the destinations: 10.9.0.0/16.
const NETWORK: [u8; 3] = [10, 9, 0];

/// How many bytes are on their way.
const BUFFER: usize = 64 * 1024;

/// The address of a webhook.
pub fn url(number: usize) -> String {
    let [a, b, c] = NETWORK;
    format!("http://{a}.{b}.{c}.{}/hook", number + 1)
}

/// The operator's settings: webhooks may reach the network of the destinations.
pub fn outbound() -> Outbound {
    let [a, b, c] = NETWORK;
    let network = format!("{a}.{b}.{c}.0/24").parse();
    Outbound { reach: Reach::with(network.into_iter().collect()), ..Outbound::default() }
}

/// How likely each fault is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// The connection is refused.
    pub refused: f64,
    /// The answer is a failure.
    pub failure: f64,
    /// The connection ends after the request.
    pub lost_answer: f64,
    /// The answer takes up to 14 s. A node waits for 10 s.
    pub slow: f64,
}

impl Rates {
    /// The rates of a history. About half of the faults do not occur in it.
    pub fn of(chance: &mut Chance) -> Self {
        let mut rate = |most: f64| if chance.happens(0.5) { most * chance.share() } else { 0.0 };
        Self { refused: rate(0.4), failure: rate(0.5), lost_answer: rate(0.3), slow: rate(0.5) }
    }
}

/// The choices of the destinations.
pub struct Destinations {
    plan: Mutex<(Chance, Rates)>,
    webhooks: [String; 2],
}

/// A connection that has arrived at a destination.
pub struct Arrived {
    stream: DuplexStream,
    integration: String,
    run_began: u64,
}

/// What a destination does.
enum Reply {
    Accept,
    Fail,
    Close,
}

impl Destinations {
    /// The destinations of these webhooks.
    pub fn new(seed: u64, rates: Rates, webhooks: [String; 2]) -> Self {
        Self { plan: Mutex::new((Chance::new(seed, "destinations"), rates)), webhooks }
    }

    fn plan(&self) -> MutexGuard<'_, (Chance, Rates)> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// No more faults.
    pub fn heal(&self) {
        self.plan().1 = Rates::default();
    }

    /// How long it takes to connect, and whether it works.
    fn connects(&self) -> (Duration, bool) {
        let (chance, rates) = &mut *self.plan();
        (Duration::from_millis(chance.number(1..=40)), !chance.happens(rates.refused))
    }

    fn reply(&self) -> (Duration, Reply) {
        let (chance, rates) = &mut *self.plan();
        let longest = if chance.happens(rates.slow) { 14_000 } else { 60 };
        let delay = Duration::from_millis(chance.number(1..=longest));
        let reply = if chance.happens(rates.failure) {
            Reply::Fail
        } else if chance.happens(rates.lost_answer) {
            Reply::Close
        } else {
            Reply::Accept
        };
        (delay, reply)
    }

    /// Answers requests. It runs outside of all nodes: a request that was sent arrives although its node has died.
    pub async fn run(self: Arc<Self>, mut arrivals: UnboundedReceiver<Arrived>) {
        while let Some(arrived) = arrivals.recv().await {
            let destinations = Arc::clone(&self);
            tokio::spawn(async move { destinations.answer(arrived).await });
        }
    }

    async fn answer(&self, Arrived { mut stream, integration, run_began }: Arrived) {
        let Some(body) = read(&mut stream).await else { return };
        let message = body.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        let (delay, reply) = self.reply();
        // A destination has taken a request that it answers with a success, and may have if no answer arrives.
        let accepted = matches!(reply, Reply::Accept);
        deliveries::log().arrive(&integration, &message, run_began, accepted);
        trace::note(format_args!("destination of {integration}: {message} accepted {accepted} in {delay:?}"));
        sleep(delay).await;
        let answer = match reply {
            Reply::Accept => "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            Reply::Fail => "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbusy",
            Reply::Close => return,
        };
        // The node may have given up.
        let _ = stream.write_all(answer.as_bytes()).await;
        let _ = stream.shutdown().await;
    }
}

/// Reads a request, and returns its body.
async fn read(stream: &mut DuplexStream) -> Option<Value> {
    const END: &[u8] = b"\r\n\r\n";
    let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        if let Some(head) = bytes.windows(END.len()).position(|window| window == END) {
            let text = String::from_utf8_lossy(bytes.get(..head)?).to_ascii_lowercase();
            let length: usize = text.split("content-length: ").nth(1)?.lines().next()?.trim().parse().ok()?;
            if let Some(body) = bytes.get(head + END.len()..head + END.len() + length) {
                return serde_json::from_slice(body).ok();
            }
        }
        match stream.read(&mut chunk).await {
            Ok(length @ 1..) => bytes.extend_from_slice(chunk.get(..length)?),
            Ok(0) | Err(_) => return None,
        }
    }
}

/// The network of a node.
pub struct NodeNetwork {
    /// The node.
    pub node: usize,
    /// The destinations.
    pub destinations: Arc<Destinations>,
    /// Where connections arrive.
    pub arrivals: UnboundedSender<Arrived>,
}

#[async_trait]
impl Network for NodeNetwork {
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let address: Ipv4Addr = host.parse().map_err(|_| io::Error::from(ErrorKind::NotFound))?;
        Ok(vec![SocketAddr::new(IpAddr::V4(address), port)])
    }

    async fn connect(&self, addresses: &[SocketAddr]) -> io::Result<Box<dyn Stream>> {
        let unreachable = || io::Error::from(ErrorKind::HostUnreachable);
        let Some(SocketAddr::V4(address)) = addresses.first() else { return Err(unreachable()) };
        let [.., last] = address.ip().octets();
        let number = usize::from(last).checked_sub(1).ok_or_else(unreachable)?;
        let integration = self.destinations.webhooks.get(number).ok_or_else(unreachable)?.clone();
        let run_began = deliveries::log().attempt(self.node, &integration);
        let (delay, connects) = self.destinations.connects();
        trace::note(format_args!("node {} connects to the destination of {integration}: {connects}", self.node));
        sleep(delay).await;
        if !connects {
            return Err(ErrorKind::ConnectionRefused.into());
        }
        let (near, far) = tokio::io::duplex(BUFFER);
        // The destinations are there as long as the history runs.
        let _ = self.arrivals.send(Arrived { stream: far, integration, run_began });
        Ok(Box::new(near))
    }
}
