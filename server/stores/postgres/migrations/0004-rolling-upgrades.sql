-- oldest server: 3
-- The oldest server that goes on serving after a migration. NULL: the first one that knows the migration.
ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS oldest_server INTEGER;

-- The newest migration that a process knows. Version 3 does not say so, and adds its row without it.
ALTER TABLE replicas ADD COLUMN version INTEGER NOT NULL DEFAULT 3;
