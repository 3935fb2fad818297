//! `POST /ofrep/v1/evaluate/flags` and `/{key}`: remote evaluation for OpenFeature providers (OFREP 0.3).

mod bulk;
mod changes;
mod context;
mod failure;
mod flag;
mod single;

pub use bulk::evaluate_all;
pub use changes::changes;
pub use single::evaluate_one;
