//! Whole projects and databases: export, import, restore, checks.

pub mod document;
pub mod export;
pub mod import;
pub mod patterns;
pub mod restore;
pub mod soundness;
