-- Sessions of the administration pages. Neither a session's text nor its token's is here, only hashes: docs/decisions/0015.
-- A session goes with its token, also when an earlier release deletes that with its person.

CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    token_id TEXT NOT NULL REFERENCES access_tokens (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_of_token ON sessions (token_id);
