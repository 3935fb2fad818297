//! A node: the server without sockets, on a runtime of its own whose time the simulator moves. It can die, stop, start, and be paused.

use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use flagservice_server::app::App;
use flagservice_server::domain::environment::Wake;
use flagservice_server::domain::retention::Retention;
use flagservice_server::http::{CallerLimits, Settings};
use flagservice_server::serving::client_limits::ClientLimits;
use flagservice_server::{Options, Service};
use tokio::runtime::{self, Runtime};
use tokio::sync::oneshot;
use tokio::time;

use crate::clock::NodeClock;
use crate::driver::{end_idle_transactions, faults};
use crate::history::destination::{NodeNetwork, outbound};
use crate::randomness::SeededRandom;
use crate::trace;

/// The settings of HTTP: the limits of callers are measured in real time, so there are none.
pub fn settings() -> Settings {
    let callers =
        CallerLimits { requests_per_second: NonZeroU32::MAX, burst: NonZeroU32::MAX, ..CallerLimits::default() };
    let limits =
        ClientLimits { requests_per_second: NonZeroU32::MAX, burst: NonZeroU32::MAX, ..ClientLimits::default() };
    Settings { callers, limits, ..Settings::default() }
}

/// For how long a transaction may do nothing, in milliseconds, as the server sets it for PostgreSQL.
const IDLE_IN_TRANSACTION_TIMEOUT: u64 = 5_000;

/// What a running node is asked through.
#[derive(Clone)]
pub struct Running {
    /// Its routes.
    pub router: Router,
    /// The application.
    pub app: Arc<App>,
}

/// How far a node has come.
#[derive(Clone, Default)]
enum Progress {
    #[default]
    Starting,
    Running(Running),
    Ended,
}

/// What the node's main task tells the simulator.
#[derive(Clone, Default)]
struct Report(Arc<Mutex<Progress>>);

impl Report {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wakes of other nodes, with the node that committed.
pub type Wakes = Arc<Mutex<Vec<(usize, Wake)>>>;

/// The main task of a node, which the simulator runs itself.
type Main = Pin<Box<dyn Future<Output = ()>>>;

/// A node that is up.
pub struct Node {
    /// Its number.
    pub number: usize,
    /// Its main task; none once it has ended.
    main: Option<Main>,
    runtime: Runtime,
    started: time::Instant,
    began_at: u64,
    /// Its clock.
    pub clock: Arc<NodeClock>,
    report: Report,
    stop: Option<oneshot::Sender<()>>,
    /// Until when nothing of it runs.
    paused_until: Option<u64>,
    /// When the database ends its transactions, if it is still paused then.
    transactions_end_at: Option<u64>,
    /// Wakes that came from other nodes, and are not announced to them again.
    forwarded: Arc<Mutex<Vec<Wake>>>,
}

/// What a node needs to start.
pub struct Start {
    /// The URL of its database.
    pub database_url: String,
    /// Its key file.
    pub key_file: std::path::PathBuf,
    /// The seed of its random bytes.
    pub seed: u64,
    /// By how much its clock is wrong, in milliseconds.
    pub skew: i64,
    /// The network to destinations.
    pub network: NodeNetwork,
    /// Where it announces commits.
    pub wakes: Wakes,
}

impl Node {
    /// Starts a node. It is not ready yet.
    ///
    /// # Errors
    /// When there is no runtime for it.
    pub fn start(start: Start) -> anyhow::Result<Self> {
        let runtime = runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
        let started = runtime.block_on(async { time::Instant::now() });
        let (number, began_at) = (start.network.node, trace::now());
        let clock = Arc::new(NodeClock::new(started, began_at, start.skew));
        let (stop, stopped) = oneshot::channel();
        let (report, forwarded) = (Report::default(), Arc::default());
        let options = Options {
            database_url: start.database_url,
            key_file: start.key_file,
            clock: Arc::clone(&clock) as _,
            random: Arc::new(SeededRandom::new(start.seed)),
            network: Arc::new(start.network),
            outbound: outbound(),
            retention: Retention::default(),
        };
        let main: Option<Main> = Some(Box::pin(run(options, report.clone(), stopped)));
        let node = Self {
            number,
            main,
            runtime,
            started,
            began_at,
            clock,
            report,
            stop: Some(stop),
            paused_until: None,
            transactions_end_at: None,
            forwarded,
        };
        node.announce(start.wakes);
        Ok(node)
    }

    /// Announces its commits to other nodes, once it runs.
    fn announce(&self, wakes: Wakes) {
        let (report, forwarded, number) = (self.report.clone(), Arc::clone(&self.forwarded), self.number);
        self.runtime.spawn(async move {
            let app = loop {
                if let Progress::Running(running) = &*report.progress() {
                    break Arc::clone(&running.app);
                }
                time::sleep(Duration::from_millis(10)).await;
            };
            let mut own = app.wakes();
            drop(app);
            while let Ok(wake) = own.recv().await {
                let mut forwarded = forwarded.lock().unwrap_or_else(PoisonError::into_inner);
                match forwarded.iter().position(|known| *known == wake) {
                    Some(known) => drop(forwarded.swap_remove(known)),
                    None => wakes.lock().unwrap_or_else(PoisonError::into_inner).push((number, wake)),
                }
            }
        });
    }

    /// Tells the node of a commit of another one.
    pub fn receive_wake(&self, wake: Wake) {
        if let Some(running) = self.running() {
            self.forwarded.lock().unwrap_or_else(PoisonError::into_inner).push(wake.clone());
            running.app.wake(wake);
        }
    }

    /// How to ask it; none while it starts, and after it has ended.
    pub fn running(&self) -> Option<Running> {
        match &*self.report.progress() {
            Progress::Running(running) => Some(running.clone()),
            Progress::Starting | Progress::Ended => None,
        }
    }

    /// Whether it answers.
    pub fn is_running(&self) -> bool {
        matches!(&*self.report.progress(), Progress::Running(_))
    }

    /// Whether it could not start, or has stopped.
    pub fn has_ended(&self) -> bool {
        matches!(&*self.report.progress(), Progress::Ended)
    }

    /// Does something on the node.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(work);
    }

    /// Stops it as an operator does.
    pub fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // It may have ended by itself.
            let _ = stop.send(());
        }
    }

    /// Lets nothing of it run until this time.
    pub fn pause(&mut self, until: u64) {
        self.paused_until = Some(until);
        self.transactions_end_at = Some(trace::now() + IDLE_IN_TRANSACTION_TIMEOUT);
    }

    /// Whether nothing of it runs now.
    pub fn is_paused(&self) -> bool {
        self.paused_until.is_some()
    }

    /// Runs it until this time, in milliseconds since the history began.
    pub fn step(&mut self, until: u64) {
        if self.paused_until.is_some_and(|paused| paused > until) {
            if self.transactions_end_at.take_if(|at| *at <= until).is_some() && faults().several_nodes {
                end_idle_transactions(self.number);
            }
            return;
        }
        {
            let mut faults = faults();
            (faults.node, faults.starting) = (self.number, !self.is_running());
        }
        let target = self.started + Duration::from_millis(until.saturating_sub(self.began_at));
        let was_paused = self.paused_until.take().is_some();
        let main = &mut self.main;
        self.runtime.block_on(async {
            if was_paused {
                // Its time has passed: all that was due in the meantime is due at once.
                time::advance(target - time::Instant::now()).await;
            }
            let ended = async {
                match main {
                    Some(main) => main.await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = ended => *main = None,
                () = time::sleep_until(target) => {}
            }
            time::sleep_until(target).await;
        });
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // Its connections end in its name, and with its runtime.
        faults().node = self.number;
        let _entered = self.runtime.enter();
        self.main = None;
    }
}

async fn run(options: Options, report: Report, stopped: oneshot::Receiver<()>) {
    let service = async {
        let mut service = Service::start(options).await?;
        match service.start_delivery().await {
            Ok(()) => Ok(service),
            Err(error) => {
                service.stop().await;
                Err(error)
            }
        }
    };
    match service.await {
        Ok(service) => {
            let router = service.router(settings());
            *report.progress() = Progress::Running(Running { router, app: Arc::clone(&service.app) });
            trace::note(format_args!("a node is ready"));
            // Without a sender the node dies, and this is dropped.
            let _ = stopped.await;
            *report.progress() = Progress::Starting;
            service.stop().await;
        }
        Err(error) => trace::note(format_args!("a node could not start: {}", error.root_cause())),
    }
    *report.progress() = Progress::Ended;
}
