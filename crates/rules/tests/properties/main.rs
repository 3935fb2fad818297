//! Properties of all rules, users and times.

mod arbitrary;
mod evaluation;
mod splits;
mod time;
