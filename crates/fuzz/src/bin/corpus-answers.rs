//! Prints what the rules answer natively to each case of the corpus, a line of JSON for each: `{name, text, answer}`.
//!
//! `text` is the file of the corpus, or the case that its bytes make. `corpus-answers FOLDER` reads
//! `FOLDER/rules` and `FOLDER/targeting`.

use std::path::PathBuf;

use anyhow::Context;
use flagservice_fuzz::case::Case;
use flagservice_fuzz::targets::targeting;

fn main() -> anyhow::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).context("the argument must be the folder of the corpus")?);
    for target in ["rules", "targeting"] {
        let mut files: Vec<_> = std::fs::read_dir(folder.join(target))?.collect::<Result<_, _>>()?;
        files.sort_by_key(std::fs::DirEntry::file_name);
        for file in files {
            let data = std::fs::read(file.path())?;
            let case = if target == "rules" { Case::parse(&data) } else { targeting::case(&data) };
            let Some(case) = case else { continue };
            let text = if target == "rules" { String::from_utf8(data)? } else { serde_json::to_string(&case)? };
            let name = format!("{target}/{}", file.file_name().display());
            let answer = case.answer().context("the answer cannot be written")?;
            println!("{}", serde_json::json!({ "name": name, "text": text, "answer": answer }));
        }
    }
    Ok(())
}
