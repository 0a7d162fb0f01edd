-- Files that were deleted or replaced, as long as a rule or a request keeps them.

-- Columns of fixed width come first in large tables, so that no bytes are lost between others.

-- Versions, with the columns of objects.
CREATE TABLE trash (
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0), -- As in objects.
  created_at BIGINT NOT NULL,                         -- When it was written.
  expires_at BIGINT,                                  -- As in objects.
  deleted_at BIGINT NOT NULL,                         -- When it was deleted or replaced.
  -- When it is removed for good: the later of the next two.
  purge_at BIGINT NOT NULL,
  rule_until BIGINT,                                  -- How long its rule keeps it. NULL: not at all.
  -- How long the request that deleted it keeps it. NULL: not at all.
  requested_until BIGINT,
  space SMALLINT NOT NULL CHECK (space IN (0, 1, 2)), -- As in objects.
  -- The account that owns the version.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  version_id TEXT COLLATE "C" NOT NULL,               -- As in objects.
  -- As in objects.
  key TEXT COLLATE "C" NOT NULL CHECK (octet_length(key) <= 2048),
  -- Its bytes.
  content_id TEXT COLLATE "C" NOT NULL REFERENCES contents,
  etag BYTEA NOT NULL,                                -- As in objects.
  sha256 BYTEA,                                       -- As in objects.
  cache_control TEXT,                                 -- As in objects.
  -- As in objects.
  disposition TEXT CHECK (disposition IN ('inline', 'attachment')),
  original_name TEXT,                                 -- As in objects.
  metadata TEXT NOT NULL,                             -- As in objects.
  hash TEXT,                                          -- As in objects.
  mark TEXT,                                          -- As in objects.
  extension TEXT NOT NULL,                            -- As in objects.
  generation TEXT NOT NULL,                           -- As in objects.
  s3 TEXT,                                            -- As in objects.
  -- Why it is here.
  reason TEXT NOT NULL CHECK (reason IN ('deleted', 'replaced')),
  deleting_job_id TEXT COLLATE "C",                   -- The folder job that deleted it. NULL: none.
  PRIMARY KEY (account_id, version_id)
);
-- The versions of a content.
CREATE INDEX trash_by_content ON trash (content_id);
-- Lists: the newest version of a key first.
CREATE INDEX trash_by_key ON trash (account_id, space, key, version_id DESC);
-- Versions to remove.
CREATE INDEX trash_by_purge ON trash (purge_at);
-- What requests keep, the oldest first.
CREATE INDEX trash_by_deletion ON trash (account_id, deleted_at, version_id) WHERE requested_until IS NOT NULL;
