//! Tables for the terminal.

use crate::command::output;

/// Prints the rows under their titles to standard output.
///
/// # Errors
/// When they cannot be written.
pub(super) fn print<const COLUMNS: usize>(titles: [&str; COLUMNS], rows: Vec<[String; COLUMNS]>) -> anyhow::Result<()> {
    let rows: Vec<_> = std::iter::once(titles.map(str::to_owned)).chain(rows).collect();
    let column_width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: [usize; COLUMNS] = std::array::from_fn(column_width);
    for row in &rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        output::line(format_args!("{}", cells.collect::<Vec<_>>().join("  ").trim_end()))?;
    }
    Ok(())
}
