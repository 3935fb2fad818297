-- What the sweep reads, which removes rows that have been kept long enough. An earlier release needs none of it.

-- When somebody last began a sweep, so that one node at a time does. One row.
CREATE TABLE sweeps (
    id BIGINT PRIMARY KEY,
    began_at BIGINT NOT NULL
);

CREATE INDEX outbox_by_time ON outbox (at);
CREATE INDEX deliveries_by_settlement ON deliveries (settled_at);
CREATE INDEX approvals_by_decision ON approvals (decided_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX idempotency_records_by_time ON idempotency_records (created_at);
-- An entry of the audit log is removed with its environments.
CREATE INDEX audit_environments_of_entry ON audit_environments (entry_id);
