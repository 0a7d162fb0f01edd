-- The API key that did it: also of its sessions and upload tokens. NULL without one, and for older entries.
ALTER TABLE activity ADD COLUMN by_key TEXT;

-- Entries that are not about single changes of files. Most are. The expression keeps SQLite from taking the primary key in
-- its place, which has the same columns.
CREATE INDEX activity_rare ON activity ((account_id || ''), sequence)
  WHERE type NOT IN ('object.uploaded', 'object.deleted', 'object.updated', 'object.copied', 'object.restored',
    'object.purged', 'chunked.started', 'chunked.completed', 'chunked.aborted');
CREATE INDEX activity_by_key ON activity (account_id, by_key, sequence) WHERE by_key IS NOT NULL;
CREATE INDEX activity_by_file ON activity (account_id, key, sequence) WHERE key IS NOT NULL;
