-- People who sign in with an identity provider, and their sessions. An earlier release ignores them: it neither lists such a session
-- as one of a token nor accepts it.

-- As the provider says it at each sign-in.
ALTER TABLE users ADD COLUMN email TEXT;

-- Who somebody is at the provider. It outlives the person, so that who was removed is not added again by signing in: so no reference.
CREATE TABLE identities (
    id TEXT PRIMARY KEY,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    UNIQUE (organisation_id, issuer, subject)
);

-- A session is one of a token or of an identity. SQLite cannot take NOT NULL from a column, so the table is made again.
CREATE TABLE kept_sessions AS SELECT hash, token_id, created_at, expires_at FROM sessions;
DROP TABLE sessions;
CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    token_id TEXT REFERENCES access_tokens (id) ON DELETE CASCADE,
    identity_id TEXT REFERENCES identities (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    CHECK ((token_id IS NULL) <> (identity_id IS NULL))
);
INSERT INTO sessions (hash, token_id, created_at, expires_at) SELECT hash, token_id, created_at, expires_at FROM kept_sessions;
DROP TABLE kept_sessions;
CREATE INDEX sessions_of_token ON sessions (token_id);
CREATE INDEX sessions_of_identity ON sessions (identity_id);
CREATE INDEX sessions_by_end ON sessions (expires_at);
