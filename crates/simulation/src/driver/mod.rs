//! The database of the simulation: SQLite itself, run by sqlx, behind a network that is slow and fails.
//!
//! sqlx runs each SQLite connection on a thread. Here the simulator waits for that thread, so that one thing happens at a time; what a
//! call takes is simulated time, before and after it. The store is the server's own: it only gets another driver.

mod connection;
mod database;
mod defect;
mod faults;
mod migrate;
mod session;
mod wait;

pub use defect::Defect;
pub use faults::{Faults, Rates, faults};
pub use session::end_idle_transactions;
pub use wait::wait;

use sqlx_core::any::driver::{AnyDriver, install_drivers};

use crate::driver::database::Simulated;

static DRIVERS: [AnyDriver; 1] = [AnyDriver::without_migrate::<Simulated>()];

/// Puts the simulated database in place of sqlx's drivers in this process.
pub fn install() {
    // The server has opened no database yet.
    flagservice_server::store::install_drivers(|| drop(install_drivers(&DRIVERS)));
}
