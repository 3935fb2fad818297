//! The commands of the program: their effects and their output.

mod access;
mod backup;
mod check;
mod destinations;
mod edge_keys;
mod experiments;
mod faults;
mod keys;
mod open_files;
mod output;
mod postgres_backup;
mod project;
mod restored_deliveries;
mod revived;
pub mod run;
mod settings;
mod single_sign_on;
