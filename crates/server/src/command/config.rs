//! The configuration file. Its settings override the defaults; flags and environment variables override its settings.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use clap::{ArgMatches, Command};
use toml::{Table, Value};

/// The flag that names the file; the file itself can't set it.
const CONFIG_FLAG: &str = "config";

/// The command whose flags can be set. All others accept its file.
const SERVE_COMMAND: &str = "serve";

/// The command whose own flags can be set in its file, too.
const EDGE_COMMAND: &str = "edge";

/// How similar a known name must be to be suggested for an unknown one, from 0 to 1.
const SUGGESTION_SIMILARITY: f64 = 0.7;

/// The path of the configuration file, if one is set.
pub(super) fn path(arguments: &ArgMatches) -> Option<PathBuf> {
    let (_, matches) = subcommand(arguments);
    matches.try_get_one::<PathBuf>(CONFIG_FLAG).ok().flatten().cloned()
}

/// Parses the command line again, with the file's settings as the defaults of the subcommand.
///
/// # Errors
/// Names the file, the problem and the remedy.
pub(super) fn read(command: Command, arguments: &ArgMatches, path: &Path) -> anyhow::Result<ArgMatches> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("Cannot read the configuration file {}.", path.display()))?;
    // The parser's own error quotes the line, which may contain a password.
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().and_then(|span| text.get(..span.start)).map_or(1, |before| before.split('\n').count());
        anyhow!("{} is not valid TOML: line {line}: {}", path.display(), error.message())
    })?;
    let (words, _) = subcommand(arguments);
    let known = setting_names(&command, &words);
    let mut command = command;
    for (name, value) in &table {
        if !known.contains(name) {
            bail!("{}: unknown setting '{name}'. {}", path.display(), suggestion(name, &known));
        }
        let values = argument_values(value)
            .with_context(|| format!("{}: '{name}' must be a string, a number, or a list of these.", path.display()))?;
        ensure!(!values.is_empty(), "{}: '{name}' is empty. Remove the line.", path.display());
        command = with_default(command, &words, name, &values);
    }
    // The command line alone was valid, so any error is in the file.
    command.try_get_matches().map_err(|error| {
        let message = error.to_string();
        let message = message.strip_prefix("error: ").unwrap_or(&message);
        anyhow!("{}: {}", path.display(), message.lines().next().unwrap_or_default())
    })
}

/// The words of the innermost subcommand, and its arguments.
fn subcommand(arguments: &ArgMatches) -> (Vec<String>, &ArgMatches) {
    let (mut words, mut matches) = (Vec::new(), arguments);
    while let Some((word, inner)) = matches.subcommand() {
        words.push(word.to_owned());
        matches = inner;
    }
    (words, matches)
}

/// The settings for the subcommand of these words, named like the flags.
fn setting_names(command: &Command, words: &[String]) -> Vec<String> {
    let edge = (words == [EDGE_COMMAND]).then_some(EDGE_COMMAND);
    let commands = [SERVE_COMMAND].into_iter().chain(edge).filter_map(|name| command.find_subcommand(name));
    let flags = commands.flat_map(Command::get_arguments).filter_map(clap::Arg::get_long);
    flags.filter(|name| *name != CONFIG_FLAG).map(str::to_owned).collect()
}

fn suggestion(unknown: &str, known: &[String]) -> String {
    let scores = known.iter().map(|name| (strsim::jaro_winkler(unknown, name), name));
    match scores.max_by(|left, right| left.0.total_cmp(&right.0)) {
        Some((similarity, name)) if similarity >= SUGGESTION_SIMILARITY => format!("Did you mean '{name}'?"),
        Some(_) | None => format!("Known settings: {}.", known.join(", ")),
    }
}

fn argument_values(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Integer(number) => Some(vec![number.to_string()]),
        Value::Array(values) => values.iter().map(argument_values).collect::<Option<Vec<_>>>().map(|all| all.concat()),
        Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) | Value::Table(_) => None,
    }
}

/// Sets the default of a flag of the given subcommand, if it has such a flag.
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
