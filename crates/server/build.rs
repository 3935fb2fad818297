//! Has the server compiled again when the administration pages or the documentation were built anew: `src/http/site/admin_site.rs`
//! and `documentation.rs` put them into the binary.

fn main() {
    for folder in ["../../dist/admin", "../../dist/docs"] {
        // Cargo would take what does not exist for changed, each time. Where nothing can be made, that is all that happens.
        let _ = std::fs::create_dir_all(folder);
        println!("cargo::rerun-if-changed={folder}");
    }
}
