//! What goes wrong between the nodes and the database, as the seed says.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::chance::Chance;
use crate::disk::DiskFault;
use crate::driver::Defect;

/// How likely each fault of a call is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// A system call of SQLite fails: the disk is full, or cannot be read or written.
    pub disk: f64,
    /// The connection is reset before the call is made.
    pub reset: f64,
    /// The call is made, and its answer is lost.
    pub lost_answer: f64,
    /// A commit is made, and its answer is lost.
    pub lost_commit: f64,
    /// The connection hangs, before the call or after it.
    pub hang: f64,
    /// The call waits, up to two seconds.
    pub slow: f64,
    /// What was read arrives late, up to four seconds.
    pub late: f64,
}

impl Rates {
    /// The rates of a history. About half of the faults do not occur in it, so that they do not hide what the others do.
    pub fn of(chance: &mut Chance) -> Self {
        let mut rate = |most: f64| if chance.happens(0.5) { most * chance.share() } else { 0.0 };
        Self {
            disk: rate(0.02),
            reset: rate(0.01),
            lost_answer: rate(0.01),
            lost_commit: rate(0.06),
            hang: rate(0.004),
            slow: rate(0.05),
            late: rate(0.05),
        }
    }
}

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Reset,
    LostAnswer,
    HangsBefore,
    HangsAfter,
}

/// What happens to a call, and how long it takes.
pub(super) struct Fate {
    pub(super) before: Duration,
    pub(super) after: Duration,
    pub(super) disk: Option<DiskFault>,
    pub(super) fault: Option<Fault>,
}

/// The kinds of calls that faults tell apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    Ping,
    Begin,
    Commit,
    Rollback,
    Statement,
}

/// The plan of a history, and what the database did.
pub struct Faults {
    chance: Chance,
    rates: Rates,
    active: bool,
    /// The planted defect.
    pub(super) defect: Option<Defect>,
    /// Whether several nodes share the database.
    pub several_nodes: bool,
    /// The node whose turn it is.
    pub node: usize,
    /// Whether that node starts. Nobody limits how long that takes, so its connections do not hang.
    pub starting: bool,
    /// The number of calls so far.
    pub calls: u64,
    /// The number of faults so far.
    pub count: u64,
    /// Whether something was committed since this was last reset.
    pub committed: bool,
}

/// A process runs one history, and sqlx opens connections by URL alone, so the plan is shared by all of its parts.
static FAULTS: Mutex<Option<Faults>> = Mutex::new(None);

/// A part of the plan that is there at any time.
pub struct Plan(MutexGuard<'static, Option<Faults>>);

impl std::ops::Deref for Plan {
    type Target = Faults;

    #[expect(clippy::expect_used, reason = "`faults` puts it there")]
    fn deref(&self) -> &Faults {
        self.0.as_ref().expect("the plan")
    }
}

impl std::ops::DerefMut for Plan {
    #[expect(clippy::expect_used, reason = "`faults` puts it there")]
    fn deref_mut(&mut self) -> &mut Faults {
        self.0.as_mut().expect("the plan")
    }
}

/// The plan.
pub fn faults() -> Plan {
    let mut plan = FAULTS.lock().unwrap_or_else(PoisonError::into_inner);
    plan.get_or_insert_with(|| Faults::new(0, Rates::default(), None, false));
    Plan(plan)
}

/// The longest of most waits, in milliseconds.
const NORMAL: u64 = 4;
const SLOW: u64 = 2_000;
const LATE: u64 = 4_000;

impl Faults {
    fn new(seed: u64, rates: Rates, defect: Option<Defect>, several_nodes: bool) -> Self {
        let chance = Chance::new(seed, "database");
        let (active, node, starting, calls, count, committed) = (false, 0, true, 0, 0, false);
        Self { chance, rates, active, defect, several_nodes, node, starting, calls, count, committed }
    }

    /// Begins a history.
    pub fn begin(seed: u64, rates: Rates, defect: Option<Defect>, several_nodes: bool) {
        *faults() = Self { active: true, ..Self::new(seed, rates, defect, several_nodes) };
    }

    /// No more faults.
    pub fn end(&mut self) {
        self.active = false;
    }

    /// Whether this entry of the outbox is lost.
    pub(super) fn loses_entry(&mut self) -> bool {
        self.defect == Some(Defect::LostOutboxEntry) && self.active && self.chance.happens(0.1)
    }

    /// By how much a commit is answered before it is made.
    pub(super) fn early_by(&mut self) -> Duration {
        Duration::from_millis(self.chance.number(0..=400))
    }

    /// How long to wait for another's lock.
    pub(super) fn lock_pause(&mut self) -> Duration {
        Duration::from_millis(self.chance.number(1..=8))
    }

    /// What happens to a connection that is being opened. Only its opening can fail: the pool measures the rest in real time.
    pub(super) fn opens(&mut self) -> bool {
        let fails = self.active && self.chance.happens(self.rates.reset);
        self.count += u64::from(fails);
        !fails
    }

    /// What happens to a call.
    pub(super) fn fate(&mut self, call: Call) -> Fate {
        self.calls += 1;
        let mut fate = Fate { before: self.wait(), after: Duration::ZERO, disk: None, fault: None };
        if !self.active {
            return fate;
        }
        let rates = self.rates;
        if call != Call::Ping {
            if self.chance.happens(rates.slow) {
                fate.before = Duration::from_millis(self.chance.number(1..=SLOW));
            }
            if self.chance.happens(rates.late) {
                fate.after = Duration::from_millis(self.chance.number(1..=LATE));
            }
            if self.chance.happens(rates.disk) {
                let errno = if self.chance.happens(0.5) { libc::EIO } else { libc::ENOSPC };
                let after = i64::try_from(self.chance.number(0..=3)).unwrap_or(0);
                fate.disk = Some(DiskFault { after, errno });
            }
        }
        let lost_answer = if call == Call::Commit { rates.lost_commit } else { rates.lost_answer };
        fate.fault = if self.chance.happens(rates.reset) {
            Some(Fault::Reset)
        } else if self.chance.happens(lost_answer) {
            Some(Fault::LostAnswer)
        } else if call != Call::Ping && !self.starting && self.chance.happens(rates.hang) {
            Some(if self.chance.happens(0.5) { Fault::HangsBefore } else { Fault::HangsAfter })
        } else {
            None
        };
        self.count += u64::from(fate.fault.is_some());
        fate
    }

    fn wait(&mut self) -> Duration {
        if self.chance.happens(0.6) { Duration::ZERO } else { Duration::from_millis(self.chance.number(1..=NORMAL)) }
    }
}
