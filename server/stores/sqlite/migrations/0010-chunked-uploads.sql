-- Files that come in parts. Everything about the file is settled at the start; only when it is completed does it become a row of objects.
CREATE TABLE chunked_uploads (
  upload_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts,
  -- The upload token that opened it, which may be forgotten before the upload is; NULL for a key.
  token_id TEXT,
  space INTEGER NOT NULL CHECK (space IN (0, 1)),
  key TEXT NOT NULL,
  -- What was added to the name to make the key, as in objects.
  hash TEXT,
  mark TEXT,
  extension TEXT NOT NULL,
  expire_hours INTEGER CHECK (expire_hours > 0),
  may_replace INTEGER NOT NULL CHECK (may_replace IN (0, 1)),
  cache_control TEXT,
  disposition TEXT CHECK (disposition IN ('inline', 'attachment')),
  original_name TEXT,
  metadata TEXT NOT NULL CHECK (json_valid(metadata)),
  -- What a rule or a token lets it grow to, and the rule's prefix.
  cap_bytes INTEGER CHECK (cap_bytes > 0),
  cap_prefix TEXT,
  state TEXT NOT NULL CHECK (state IN ('open', 'completed', 'aborted')),
  started_at INTEGER NOT NULL,
  -- When it was started or last got a part.
  active_at INTEGER NOT NULL,
  closed_at INTEGER CHECK ((closed_at IS NULL) = (state = 'open')),
  -- Counts every change to its parts; also the sequence of the part that came last.
  revision INTEGER NOT NULL DEFAULT 0,
  -- The sum of its parts, which is part of the account's reserved_bytes.
  stored_bytes INTEGER NOT NULL DEFAULT 0 CHECK (stored_bytes >= 0),
  -- What its completion answered.
  outcome TEXT CHECK (json_valid(outcome) AND (outcome IS NULL) = (state <> 'completed'))
) STRICT, WITHOUT ROWID;

CREATE INDEX chunked_uploads_open ON chunked_uploads (account_id, started_at) WHERE state = 'open';
CREATE INDEX chunked_uploads_by_activity ON chunked_uploads (active_at) WHERE state = 'open';
CREATE INDEX chunked_uploads_by_token ON chunked_uploads (token_id) WHERE token_id IS NOT NULL;
CREATE INDEX chunked_uploads_by_closing ON chunked_uploads (closed_at) WHERE closed_at IS NOT NULL;

CREATE TABLE chunked_parts (
  upload_id TEXT NOT NULL REFERENCES chunked_uploads ON DELETE CASCADE,
  part INTEGER NOT NULL CHECK (part BETWEEN 1 AND 2048),
  -- In which order the parts of the upload came.
  sequence INTEGER NOT NULL,
  blob_id TEXT NOT NULL,
  size_bytes INTEGER NOT NULL CHECK (size_bytes > 0),
  md5 TEXT NOT NULL,
  -- As in content_blobs.
  inline BLOB,
  PRIMARY KEY (upload_id, part)
) STRICT;

-- Files whose SHA-256 a job still computes.
CREATE INDEX objects_unhashed ON objects (content_id) WHERE sha256 IS NULL;
