-- How many versions of a key the trash keeps under the prefix. NULL: all of them.
ALTER TABLE rules ADD COLUMN keep_versions INTEGER CHECK (keep_versions BETWEEN 1 AND 1000);
-- Whether the trash was swept for it since the rule was saved. From then on each deletion counts.
ALTER TABLE rules ADD COLUMN is_counted INTEGER NOT NULL DEFAULT 0 CHECK (is_counted IN (0, 1));
