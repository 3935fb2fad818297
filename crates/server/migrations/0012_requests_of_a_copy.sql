-- Approvals that one copy requested: the id of the first of them. An earlier release does not know it, and writes none.

ALTER TABLE approvals ADD COLUMN copy_id TEXT;
