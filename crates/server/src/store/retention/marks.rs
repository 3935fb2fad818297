//! Rows that stay when somebody is erased, with the columns in which they may stand.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};

use crate::domain::ids::OrganisationId;
use crate::store::Result;

/// A table with such rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkedTable {
    /// `change`.
    Outbox,
    /// `change`, `attempts`.
    Deliveries,
    /// `last_delivery_detail`.
    Integrations,
    /// `author_id`, `author_name`, `text`.
    Comments,
    /// `requester_id`, `requester_name`, `comment`, `before_targeting`, `after_targeting`, `feature_change`. The last three
    /// are empty for a pending approval: they are what is going to be served.
    Approvals,
    /// What was decided: `decider_id`, `decider_name`, `decider_token_id`, `decider_token_creator_id`.
    Decisions,
    /// `user_id`, `user_name`, `resource`, `before_state`, `after_state`, `token_id`, `token_creator_id`.
    AuditLog,
}

/// The place of a row in the order of its table: the first part of its key, and the second or 0.
pub type Place = (String, i64);

/// A row with those columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedRow {
    /// Its place.
    pub place: Place,
    /// The columns, in the order of the table's documentation.
    pub columns: Vec<Option<String>>,
}

impl MarkedTable {
    /// All tables. The last ones tell the names of a person longest, so that an erasure can be done again.
    pub const ALL: [Self; 7] = [
        Self::Outbox,
        Self::Deliveries,
        Self::Integrations,
        Self::Comments,
        Self::Approvals,
        Self::Decisions,
        Self::AuditLog,
    ];

    /// The name of its rows in the result of an erasure.
    pub fn name(self) -> &'static str {
        match self {
            Self::Outbox => "changes",
            Self::Deliveries => "deliveries",
            Self::Integrations => "integrations",
            Self::Comments => "comments",
            Self::Approvals => "approvals",
            Self::Decisions => "decisions",
            Self::AuditLog => "auditLog",
        }
    }

    fn select(self) -> &'static str {
        match self {
            Self::Outbox => {
                "SELECT o.environment_id, o.version, o.change FROM outbox o JOIN environments e ON e.id = o.environment_id
                    JOIN projects p ON p.id = e.project_id
                 WHERE p.organisation_id = $1
                    AND ($2 = '' OR o.environment_id < $2 OR (o.environment_id = $2 AND o.version < $3))
                 ORDER BY o.environment_id DESC, o.version DESC LIMIT $4"
            }
            Self::Deliveries => {
                "SELECT d.integration_id, d.position, d.change, d.attempts FROM deliveries d
                    JOIN integrations i ON i.id = d.integration_id
                 WHERE i.organisation_id = $1
                    AND ($2 = '' OR d.integration_id < $2 OR (d.integration_id = $2 AND d.position < $3))
                 ORDER BY d.integration_id DESC, d.position DESC LIMIT $4"
            }
            Self::Integrations => {
                "SELECT id, created_at, last_delivery_detail FROM integrations
                 WHERE organisation_id = $1 AND ($2 = '' OR id < $2 OR (id = $2 AND created_at < $3))
                 ORDER BY id DESC LIMIT $4"
            }
            Self::Comments => {
                "SELECT c.approval_id, c.position, c.author_id, c.author_name, c.text FROM approval_comments c
                    JOIN approvals a ON a.id = c.approval_id JOIN projects p ON p.id = a.project_id
                 WHERE p.organisation_id = $1
                    AND ($2 = '' OR c.approval_id < $2 OR (c.approval_id = $2 AND c.position < $3))
                 ORDER BY c.approval_id DESC, c.position DESC LIMIT $4"
            }
            Self::Approvals => {
                "SELECT a.id, a.created_at, a.requester_id, a.requester_name, a.comment,
                    CASE WHEN a.state IN ('pending', 'scheduled') THEN NULL ELSE a.before_targeting END,
                    CASE WHEN a.state IN ('pending', 'scheduled') THEN NULL ELSE a.after_targeting END,
                    CASE WHEN a.state IN ('pending', 'scheduled') THEN NULL ELSE a.feature_change END
                 FROM approvals a JOIN projects p ON p.id = a.project_id
                 WHERE p.organisation_id = $1 AND ($2 = '' OR a.id < $2 OR (a.id = $2 AND a.created_at < $3))
                 ORDER BY a.id DESC LIMIT $4"
            }
            Self::Decisions => {
                "SELECT a.id, a.created_at, a.decider_id, a.decider_name, a.decider_token_id, a.decider_token_creator_id
                 FROM approvals a JOIN projects p ON p.id = a.project_id
                 WHERE p.organisation_id = $1 AND a.decider_id IS NOT NULL
                    AND ($2 = '' OR a.id < $2 OR (a.id = $2 AND a.created_at < $3))
                 ORDER BY a.id DESC LIMIT $4"
            }
            Self::AuditLog => {
                "SELECT id, at, user_id, user_name, resource, before_state, after_state, token_id, token_creator_id
                 FROM audit_log WHERE organisation_id = $1 AND ($2 = '' OR id < $2 OR (id = $2 AND at < $3))
                 ORDER BY id DESC LIMIT $4"
            }
        }
    }

    /// What writes the columns: parameters are those of the new row, then some of the old row, then its place. Where others may
    /// write meanwhile, only what was read is replaced.
    fn update(self) -> &'static str {
        match self {
            Self::Outbox => "UPDATE outbox SET change = $1 WHERE environment_id = $2 AND version = $3",
            Self::Deliveries => {
                "UPDATE deliveries SET change = $1, attempts = CASE WHEN attempts = $3 THEN $2 ELSE attempts END
                 WHERE integration_id = $4 AND position = $5"
            }
            Self::Integrations => {
                "UPDATE integrations SET last_delivery_detail = $1
                 WHERE last_delivery_detail = $2 AND id = $3 AND created_at = $4"
            }
            Self::Comments => {
                "UPDATE approval_comments SET author_id = $1, author_name = $2, text = $3
                 WHERE approval_id = $4 AND position = $5"
            }
            Self::Approvals => {
                "UPDATE approvals SET requester_id = $1, requester_name = $2, comment = $3,
                    before_targeting = COALESCE($4, before_targeting), after_targeting = COALESCE($5, after_targeting),
                    feature_change = COALESCE($6, feature_change) WHERE id = $7 AND created_at = $8"
            }
            Self::Decisions => {
                "UPDATE approvals SET decider_id = $1, decider_name = $2, decider_token_id = $3, decider_token_creator_id = $4
                 WHERE decider_id = $5 AND id = $6 AND created_at = $7"
            }
            Self::AuditLog => {
                "UPDATE audit_log SET user_id = $1, user_name = $2, resource = $3, before_state = $4, after_state = $5,
                    token_id = $6, token_creator_id = $7 WHERE id = $8 AND at = $9"
            }
        }
    }

    /// The columns of the old row that the update takes.
    fn compared(self) -> &'static [usize] {
        match self {
            Self::Outbox | Self::Comments | Self::Approvals | Self::AuditLog => &[],
            Self::Deliveries => &[1],
            Self::Integrations | Self::Decisions => &[0],
        }
    }
}

/// The organisation's next rows after a place, newest first.
pub async fn page(
    connection: &mut AnyConnection,
    table: MarkedTable,
    organisation: &OrganisationId,
    after: &Place,
    most: i64,
) -> Result<Vec<MarkedRow>> {
    let rows = sqlx::query(table.select())
        .bind(organisation.as_str())
        .bind(after.0.as_str())
        .bind(after.1)
        .bind(most)
        .fetch_all(connection)
        .await?;
    rows.iter().map(marked_row).collect()
}

fn marked_row(row: &AnyRow) -> Result<MarkedRow> {
    let columns = (2..row.len()).map(|index| row.try_get(index)).collect::<Result<_>>()?;
    Ok(MarkedRow { place: (row.try_get(0)?, row.try_get(1)?), columns })
}

/// Writes the columns of a row.
pub async fn rewrite(
    connection: &mut AnyConnection,
    table: MarkedTable,
    old: &MarkedRow,
    new: &[Option<String>],
) -> Result<()> {
    let compared = table.compared().iter().filter_map(|index| old.columns.get(*index));
    let mut query = sqlx::query(table.update());
    for column in new.iter().chain(compared) {
        query = query.bind(column.as_deref());
    }
    query.bind(old.place.0.as_str()).bind(old.place.1).execute(connection).await.map(drop)
}
