//! An edge serves clients as its upstream does, keeps serving without it, and loses no goal.

mod continuity;
mod keys;
mod limits;
mod reports;
mod serving;
