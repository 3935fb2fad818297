//! Has the server compiled again when the administration pages were built anew: `src/http/pages.rs` puts them into the binary.

fn main() {
    let pages = "../../dist/admin";
    // Cargo would take what does not exist for changed, each time. Where nothing can be made, that is all that happens.
    let _ = std::fs::create_dir_all(pages);
    println!("cargo::rerun-if-changed={pages}");
}
