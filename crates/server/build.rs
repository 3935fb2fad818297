//! Rebuilds the server after a build of what the files of `src/http/site/` embed in the binary: the administration pages, the
//! documentation, and the browser client without wasm. The same for the licence notices that `src/command/licences.rs` embeds.

fn main() {
    for folder in ["../../dist/admin", "../../dist/docs", "../../dist/no-wasm-core", "../../dist/notices"] {
        // Cargo treats a missing path as changed, so it would rebuild every time. An error here has no other effect.
        let _ = std::fs::create_dir_all(folder);
        println!("cargo::rerun-if-changed={folder}");
    }
}
