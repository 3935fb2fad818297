-- The platform's first schema. One text for SQLite and PostgreSQL: ids and JSON are TEXT, times are milliseconds since 1970 UTC, truth is 1 or 0.

CREATE TABLE organisations (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE users (
    id TEXT PRIMARY KEY,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE access_tokens (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    hint TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    last_used_at BIGINT,
    revoked_at BIGINT
);
CREATE INDEX access_tokens_of_user ON access_tokens (user_id);

CREATE TABLE projects (
    id TEXT PRIMARY KEY,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (organisation_id, key)
);

-- epoch and version tell clients which of two answers is newer; see docs/wire.md.
CREATE TABLE environments (
    id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    production BIGINT NOT NULL,
    approval_required BIGINT NOT NULL,
    allowed_origins TEXT NOT NULL,
    revision BIGINT NOT NULL,
    position BIGINT NOT NULL,
    epoch TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (project_id, key)
);

-- Client keys (`js-…`, public) and server keys (`srv-…`, secret) of an environment.
CREATE TABLE sdk_keys (
    id TEXT PRIMARY KEY,
    environment_id TEXT NOT NULL REFERENCES environments (id),
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    hint TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);
CREATE INDEX sdk_keys_of_environment ON sdk_keys (environment_id);

-- Phases are an ordered list: each names an environment, and whether it requires approval.
CREATE TABLE pipelines (
    id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    phases TEXT NOT NULL,
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (project_id, key)
);

CREATE TABLE features (
    id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    lifecycle TEXT NOT NULL,
    salt TEXT NOT NULL,
    variants TEXT NOT NULL,
    tags TEXT NOT NULL,
    approval_required BIGINT NOT NULL,
    pipeline_id TEXT REFERENCES pipelines (id),
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (project_id, key)
);

CREATE TABLE targetings (
    feature_id TEXT NOT NULL REFERENCES features (id),
    environment_id TEXT NOT NULL REFERENCES environments (id),
    targeting TEXT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (environment_id, feature_id)
);

CREATE TABLE audiences (
    id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id),
    environment_id TEXT REFERENCES environments (id),
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    conditions TEXT NOT NULL,
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (project_id, key)
);

-- One entry for each environment that a change touches, numbered by the version that the change gave it:
-- within an environment the numbers are in commit order, because the version's row is locked by the writer.
CREATE TABLE outbox (
    environment_id TEXT NOT NULL REFERENCES environments (id),
    version BIGINT NOT NULL,
    change_id TEXT NOT NULL,
    feature_id TEXT,
    at BIGINT NOT NULL,
    change TEXT NOT NULL,
    PRIMARY KEY (environment_id, version)
);

CREATE TABLE audit_log (
    id TEXT PRIMARY KEY,
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    at BIGINT NOT NULL,
    user_id TEXT NOT NULL,
    user_name TEXT NOT NULL,
    action TEXT NOT NULL,
    resource TEXT NOT NULL,
    before_state TEXT,
    after_state TEXT
);
CREATE INDEX audit_log_by_time ON audit_log (organisation_id, at);

-- A goal counts once: its id is the client's.
CREATE TABLE goals (
    environment_id TEXT NOT NULL REFERENCES environments (id),
    id TEXT NOT NULL,
    key TEXT NOT NULL,
    user_id TEXT NOT NULL,
    features TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (environment_id, id)
);

-- What a request with an Idempotency-Key was answered, committed with its effect. No secret is in the body.
CREATE TABLE idempotency_records (
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    status BIGINT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, key)
);

-- Data keys, each encrypted with the master key; the key-check value is the first of them being readable.
CREATE TABLE data_keys (
    id BIGINT PRIMARY KEY,
    wrapped TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
