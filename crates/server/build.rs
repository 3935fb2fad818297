//! Rebuilds the server after a build of the administration pages or the documentation: `src/http/site/admin_site.rs` and
//! `documentation.rs` embed them in the binary.

fn main() {
    for folder in ["../../dist/admin", "../../dist/docs"] {
        // Cargo treats a missing path as changed, so it would rebuild every time. An error here has no other effect.
        let _ = std::fs::create_dir_all(folder);
        println!("cargo::rerun-if-changed={folder}");
    }
}
