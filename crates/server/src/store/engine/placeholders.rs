//! Statements with a varying number of values.

/// The placeholders of so many rows: `($1, $2), ($3, $4)`. For any database, sqlx's query builder writes `?`, which PostgreSQL does not
/// understand.
pub(in crate::store) fn placeholders(rows: usize, columns: usize) -> String {
    let row = |row: usize| {
        let columns: Vec<_> = (1..=columns).map(|column| format!("${}", row * columns + column)).collect();
        format!("({})", columns.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}
