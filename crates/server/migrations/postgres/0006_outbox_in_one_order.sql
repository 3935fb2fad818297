-- PostgreSQL only: entries of the outbox are numbered in the order in which they are written, as SQLite numbers its rows by
-- itself. It orders entries of different environments; within one the version does, and is what readers' cursors hold.

CREATE SEQUENCE outbox_rowid;
ALTER TABLE outbox ADD COLUMN rowid BIGINT;
-- What is there already: by time, but never against the order of versions.
UPDATE outbox SET rowid = ordered.place
    FROM (SELECT environment_id, version, row_number() OVER (ORDER BY latest, environment_id, version) AS place
            FROM (SELECT environment_id, version, max(at) OVER (PARTITION BY environment_id ORDER BY version) AS latest
                    FROM outbox) AS dated) AS ordered
    WHERE ordered.environment_id = outbox.environment_id AND ordered.version = outbox.version;
SELECT setval('outbox_rowid', (SELECT count(*) + 1 FROM outbox));
ALTER TABLE outbox ALTER COLUMN rowid SET DEFAULT nextval('outbox_rowid');
ALTER TABLE outbox ALTER COLUMN rowid SET NOT NULL;
ALTER SEQUENCE outbox_rowid OWNED BY outbox.rowid;
