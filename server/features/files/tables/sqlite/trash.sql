-- Files that were deleted or replaced, as long as a rule or a request keeps them.

-- Versions, with the columns of objects.
CREATE TABLE trash (
  account_id TEXT NOT NULL REFERENCES accounts,        -- The account that owns the version.
  version_id TEXT NOT NULL,                            -- As in objects.
  space INTEGER NOT NULL CHECK (space IN (0, 1, 2)),   -- As in objects.
  key TEXT NOT NULL,                                   -- As in objects.
  content_id TEXT NOT NULL REFERENCES contents,        -- Its bytes.
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0), -- As in objects.
  etag BLOB NOT NULL,                                  -- As in objects.
  sha256 BLOB,                                         -- As in objects.
  created_at INTEGER NOT NULL,                         -- When it was written.
  expires_at INTEGER,                                  -- As in objects.
  cache_control TEXT,                                  -- As in objects.
  -- As in objects.
  disposition TEXT CHECK (disposition IN ('inline', 'attachment')),
  original_name TEXT,                                  -- As in objects.
  metadata TEXT NOT NULL CHECK (json_valid(metadata)), -- As in objects.
  hash TEXT,                                           -- As in objects.
  mark TEXT,                                           -- As in objects.
  extension TEXT NOT NULL,                             -- As in objects.
  generation TEXT NOT NULL,                           -- As in objects.
  s3 TEXT CHECK (json_valid(s3)),                      -- As in objects.
  deleted_at INTEGER NOT NULL,                         -- When it was deleted or replaced.
  -- When it is removed for good: the later of the next two.
  purge_at INTEGER NOT NULL,
  rule_until INTEGER,                                  -- How long its rule keeps it. NULL: not at all.
  -- How long the request that deleted it keeps it. NULL: not at all.
  requested_until INTEGER,
  -- Why it is here.
  reason TEXT NOT NULL CHECK (reason IN ('deleted', 'replaced')),
  deleting_job_id TEXT,                                -- The folder job that deleted it. NULL: none.
  PRIMARY KEY (account_id, version_id)
) STRICT, WITHOUT ROWID;
-- The versions of a content.
CREATE INDEX trash_by_content ON trash (content_id);
-- Lists: the newest version of a key first.
CREATE INDEX trash_by_key ON trash (account_id, space, key, version_id DESC);
-- Versions to remove.
CREATE INDEX trash_by_purge ON trash (purge_at);
-- What requests keep, the oldest first.
CREATE INDEX trash_by_deletion ON trash (account_id, deleted_at, version_id) WHERE requested_until IS NOT NULL;
