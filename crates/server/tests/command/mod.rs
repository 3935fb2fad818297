//! The operator's commands, as the program that operators run: what they do, what they say, and what they leave alone.

mod access;
mod backup;
mod check;
mod destinations;
mod keys;
mod project;
mod ran;
mod restored_deliveries;
mod settings;
mod situations;
