//! What every part of Flag Service shares: keys, variants, the fallback, and the protocol.
//!
//! It is part of the browser's wasm, so it has no dependencies, formats no floats and never panics.

pub mod digits;
pub mod fallback;
pub mod keys;
pub mod variant;
pub mod wire;

pub use fallback::fallback;
pub use keys::{FeatureKey, InvalidKey, Key};
pub use wire::Since;
