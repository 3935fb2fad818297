-- What an access token is limited to. An earlier release reads none of it, and does not find tokens with a scope: their hashes begin
-- with 'scoped ', and so do those of their sessions.

-- 'readOnly' or 'readWrite'; NULL: the token has no scope, and 'limited' is 0.
ALTER TABLE access_tokens ADD COLUMN access TEXT;
-- 1 if the token is limited to the places in access_token_places, even if all of these have been deleted.
ALTER TABLE access_tokens ADD COLUMN limited BIGINT NOT NULL DEFAULT 0;

CREATE TABLE access_token_places (
    token_id TEXT NOT NULL REFERENCES access_tokens (id) ON DELETE CASCADE,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    -- NULL: the whole project.
    environment_id TEXT REFERENCES environments (id) ON DELETE CASCADE
);

CREATE INDEX access_token_places_of_token ON access_token_places (token_id);
CREATE INDEX access_token_places_of_project ON access_token_places (project_id);
CREATE INDEX access_token_places_of_environment ON access_token_places (environment_id);
