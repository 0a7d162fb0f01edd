-- oldest server: 8
-- The API key that did it: also of its sessions and upload tokens. NULL without one, and for older entries.
ALTER TABLE activity ADD COLUMN IF NOT EXISTS by_key TEXT COLLATE "C";

-- Entries that are not about single changes of files. Most are. The expression keeps SQLite from taking the primary key in
-- its place, which has the same columns.
CREATE INDEX IF NOT EXISTS activity_rare ON activity ((account_id || ''), sequence)
  WHERE type NOT IN ('object.uploaded', 'object.deleted', 'object.updated', 'object.copied', 'object.restored',
    'object.purged', 'chunked.started', 'chunked.completed', 'chunked.aborted');
CREATE INDEX IF NOT EXISTS activity_by_key ON activity (account_id, by_key, sequence) WHERE by_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS activity_by_file ON activity (account_id, key, sequence) WHERE key IS NOT NULL;
