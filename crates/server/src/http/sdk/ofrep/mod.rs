//! `POST /ofrep/v1/evaluate/flags` and `/{key}`: OpenFeature's remote evaluation (OFREP 0.3), for its own providers.

mod bulk;
mod changes;
mod context;
mod failure;
mod flag;
mod single;

pub use bulk::all;
pub use changes::changes;
pub use single::one;
