//! The file of settings: what it says stands between the environment and the defaults of the flags that it names.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use clap::{ArgMatches, Command};
use toml::{Table, Value};

/// The flag that names the file; it cannot be set in it.
const CONFIG: &str = "config";

/// The command whose flags can be set.
const SERVE: &str = "serve";

/// How alike two names are when one is taken for the other mistyped.
const ALIKE: f64 = 0.7;

/// The file that was named, if one was.
pub(super) fn path(typed: &ArgMatches) -> Option<PathBuf> {
    let asked = asked(typed).1;
    asked.try_get_one::<PathBuf>(CONFIG).ok().flatten().cloned()
}

/// Reads what was typed again, with the file's settings as the defaults of the command that was asked for.
///
/// # Errors
/// Names the file, what is wrong in it, and the remedy.
pub(super) fn read(command: Command, typed: &ArgMatches, path: &Path) -> anyhow::Result<ArgMatches> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("The file of settings {} cannot be read.", path.display()))?;
    // The error quotes the line, which may hold a password.
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().and_then(|span| text.get(..span.start)).map_or(1, |before| before.split('\n').count());
        anyhow!("{} is not TOML: line {line}: {}", path.display(), error.message())
    })?;
    let known = names(&command);
    let mut command = command;
    let words = asked(typed).0;
    for (name, value) in &table {
        if !known.contains(name) {
            bail!("{} sets '{name}', which is no setting. {}", path.display(), remedy(name, &known));
        }
        let values = texts(value).with_context(|| {
            format!("{} sets '{name}' to what is neither a text, nor a number, nor a list of them.", path.display())
        })?;
        ensure!(!values.is_empty(), "{} sets '{name}' to nothing. Remove the line.", path.display());
        command = with_default(command, &words, name, &values);
    }
    // All of it was understood without the file.
    command.try_get_matches().map_err(|error| {
        let said = error.to_string();
        let said = said.strip_prefix("error: ").unwrap_or(&said);
        anyhow!("{} sets a value that is refused: {}", path.display(), said.lines().next().unwrap_or_default())
    })
}

/// The words of the command that was asked for, and what was typed after them.
fn asked(typed: &ArgMatches) -> (Vec<String>, &ArgMatches) {
    let (mut words, mut matches) = (Vec::new(), typed);
    while let Some((word, inner)) = matches.subcommand() {
        words.push(word.to_owned());
        matches = inner;
    }
    (words, matches)
}

/// What can be set, as the flags are called.
fn names(command: &Command) -> Vec<String> {
    let serve = command.find_subcommand(SERVE);
    let flags = serve.into_iter().flat_map(Command::get_arguments).filter_map(clap::Arg::get_long);
    flags.filter(|name| *name != CONFIG).map(str::to_owned).collect()
}

fn remedy(wrong: &str, known: &[String]) -> String {
    let near = known.iter().map(|name| (strsim::jaro_winkler(wrong, name), name)).max_by(|a, b| a.0.total_cmp(&b.0));
    match near {
        Some((likeness, name)) if likeness >= ALIKE => format!("Did you mean '{name}'?"),
        Some(_) | None => format!("There are: {}.", known.join(", ")),
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Integer(number) => Some(vec![number.to_string()]),
        Value::Array(values) => values.iter().map(texts).collect::<Option<Vec<_>>>().map(|all| all.concat()),
        Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) | Value::Table(_) => None,
    }
}

/// Sets the default of a flag of the command with these words; a command without such a flag stays as it is.
fn with_default(command: Command, words: &[String], name: &str, values: &[String]) -> Command {
    if let Some((word, rest)) = words.split_first() {
        return command.mut_subcommand(word, |inner| with_default(inner, rest, name, values));
    }
    let flag = command.get_arguments().find(|flag| flag.get_long() == Some(name)).map(|flag| flag.get_id().clone());
    match flag {
        Some(id) => command.mut_arg(id, |flag| flag.default_values(values.to_vec())),
        None => command,
    }
}
