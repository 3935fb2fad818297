-- Edge keys (`edge-…`, secret) of a project: an edge identifies itself with one. An earlier release neither reads nor writes them; the
-- rows of a project or an environment that it deletes go with it.

CREATE TABLE edge_keys (
    id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    hint TEXT NOT NULL,
    -- 1 if the key is limited to the environments in edge_key_environments, even if all of these have been deleted.
    limited BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    revoked_at BIGINT
);
CREATE INDEX edge_keys_of_project ON edge_keys (project_id);

CREATE TABLE edge_key_environments (
    key_id TEXT NOT NULL REFERENCES edge_keys (id) ON DELETE CASCADE,
    environment_id TEXT NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
    PRIMARY KEY (key_id, environment_id)
);
CREATE INDEX edge_key_environments_of_environment ON edge_key_environments (environment_id);
