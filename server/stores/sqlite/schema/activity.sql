-- What callers did in an account, for its owner.

-- Entries, until the plan's time is over.
CREATE TABLE activity (
  account_id TEXT NOT NULL REFERENCES accounts,      -- The account.
  sequence INTEGER NOT NULL,                         -- Counts up within the account, and is never given twice.
  type TEXT NOT NULL,                                -- What was done.
  at INTEGER NOT NULL,                               -- When.
  -- The space of the file that it is about, as in objects. NULL: about none.
  space INTEGER CHECK (space IN (0, 1, 2)),
  key TEXT CHECK ((key IS NULL) = (space IS NULL)),  -- The key of that file.
  details TEXT NOT NULL CHECK (json_valid(details)), -- What else there is to say, as JSON.
  source_ip TEXT,                                    -- Where the request came from.
  user_agent TEXT,                                   -- The program that made the request.
  -- How the caller was authenticated.
  auth TEXT NOT NULL CHECK (auth IN ('api_key', 'upload_token', 's3', 'rule', 'system')),
  -- The API key that did it, also of its sessions and upload tokens. NULL: none did.
  by_key TEXT,
  PRIMARY KEY (account_id, sequence)
) STRICT, WITHOUT ROWID;
-- Entries to forget.
CREATE INDEX activity_by_age ON activity ((at / 60000));
-- What was done to a file.
CREATE INDEX activity_by_file ON activity (account_id, key, sequence) WHERE key IS NOT NULL;
-- What a key did, by blocks of sequences.
CREATE INDEX activity_by_key ON activity (by_key, (sequence / 256)) WHERE by_key IS NOT NULL;
-- Entries that are not about single changes of files. Most are. The expression keeps SQLite from taking the primary key
-- in its place, which has the same columns.
CREATE INDEX activity_rare ON activity ((account_id || ''), sequence)
  WHERE type NOT IN ('object.uploaded', 'object.deleted', 'object.updated', 'object.copied',
    'object.restored', 'object.purged', 'chunked.started', 'chunked.completed',
    'chunked.aborted');
