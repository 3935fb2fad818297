//! The commands of the program: their effects and their output.

mod access;
mod backup;
mod check;
mod destinations;
mod keys;
mod project;
mod run;
mod restored_deliveries;
mod settings;
mod faults;
