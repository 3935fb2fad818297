-- Who looks after a feature, and what each person has set for the pages of a project. An earlier release knows neither.

ALTER TABLE features ADD COLUMN owner_id TEXT REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX features_of_owner ON features (owner_id);

CREATE TABLE preferences (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    -- The keys of features.
    favourites TEXT NOT NULL,
    -- Names and queries.
    views TEXT NOT NULL,
    revision BIGINT NOT NULL,
    PRIMARY KEY (user_id, project_id)
);
CREATE INDEX preferences_of_project ON preferences (project_id);
