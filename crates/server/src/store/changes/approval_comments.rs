//! What people say about an approval, in the order in which they said it.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use crate::domain::approval::{ApprovalComment, Person};
use crate::domain::ids::ApprovalId;
use crate::store::Result;
use crate::store::engine::columns::{id, signed, unsigned};

/// Adds a comment after those that there are.
pub async fn append(
    connection: &mut AnyConnection,
    approval: &ApprovalId,
    position: u64,
    comment: &ApprovalComment,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO approval_comments (approval_id, position, author_id, author_name, text, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(approval.as_str())
    .bind(signed(position))
    .bind(comment.author.id.as_str())
    .bind(comment.author.name.as_str())
    .bind(comment.text.as_str())
    .bind(comment.at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// How many comments the approval has.
pub async fn count(connection: &mut AnyConnection, approval: &ApprovalId) -> Result<u64> {
    let row = sqlx::query("SELECT COUNT(*) AS comments FROM approval_comments WHERE approval_id = $1")
        .bind(approval.as_str())
        .fetch_one(connection)
        .await?;
    unsigned(&row, "comments")
}

/// The approval's comments, oldest first.
pub async fn list(connection: &mut AnyConnection, approval: &ApprovalId) -> Result<Vec<ApprovalComment>> {
    let rows = sqlx::query(
        "SELECT author_id, author_name, text, created_at FROM approval_comments WHERE approval_id = $1 ORDER BY position",
    )
    .bind(approval.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(comment).collect()
}

fn comment(row: &AnyRow) -> Result<ApprovalComment> {
    Ok(ApprovalComment {
        author: Person { id: id(row, "author_id")?, name: row.try_get("author_name")? },
        at: Instant(row.try_get("created_at")?),
        text: row.try_get("text")?,
    })
}
