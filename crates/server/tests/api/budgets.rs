//! Budgets: what one caller may make the service do, and that others do not notice.

mod audiences;
mod callers;
mod connections;
mod copies;
mod environments;
mod goals;
mod numbers;
mod patterns;
mod stored;
