-- The environments that an entry of the audit log is about, so that an environment's history is found without reading everybody's.

CREATE TABLE audit_environments (
    organisation_id TEXT NOT NULL REFERENCES organisations (id),
    environment_key TEXT NOT NULL,
    entry_id TEXT NOT NULL REFERENCES audit_log (id) ON DELETE CASCADE,
    PRIMARY KEY (organisation_id, environment_key, entry_id)
);

-- The entries that are there already, for environments that exist or were deleted from a project that exists.
INSERT INTO audit_environments (organisation_id, environment_key, entry_id)
    SELECT known.organisation_id, known.key, entry.id
    FROM audit_log AS entry
    JOIN (
        SELECT projects.organisation_id AS organisation_id, environments.key AS key
        FROM environments JOIN projects ON projects.id = environments.project_id
        UNION
        SELECT projects.organisation_id, REPLACE(deleted.resource, 'projects/' || projects.key || '/environments/', '')
        FROM audit_log AS deleted JOIN projects ON projects.organisation_id = deleted.organisation_id
            AND SUBSTR(deleted.resource, 1, LENGTH('projects/' || projects.key || '/environments/'))
                = 'projects/' || projects.key || '/environments/'
        WHERE deleted.action = 'environment.delete'
    ) AS known ON known.organisation_id = entry.organisation_id
    WHERE REPLACE(entry.before_state, '"environmentKey":"' || known.key || '"', '') <> entry.before_state
        OR REPLACE(entry.after_state, '"environmentKey":"' || known.key || '"', '') <> entry.after_state;
