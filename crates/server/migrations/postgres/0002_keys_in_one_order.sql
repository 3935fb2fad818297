-- PostgreSQL only: keys stand in the order of their bytes, as in SQLite, whatever the database's collation.

ALTER TABLE projects ALTER COLUMN key TYPE TEXT COLLATE "C";
ALTER TABLE pipelines ALTER COLUMN key TYPE TEXT COLLATE "C";
ALTER TABLE features ALTER COLUMN key TYPE TEXT COLLATE "C";
ALTER TABLE audiences ALTER COLUMN key TYPE TEXT COLLATE "C";
ALTER TABLE goals ALTER COLUMN key TYPE TEXT COLLATE "C";
