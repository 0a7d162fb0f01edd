-- Instants are milliseconds since the epoch, sizes are bytes.

CREATE TABLE accounts (
  account_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL CHECK (plan IN ('none', 'hobby', 'standard', 'pro', 'enterprise')),
  created_at INTEGER NOT NULL,
  quota_bytes INTEGER CHECK (quota_bytes >= 0),
  used_bytes INTEGER NOT NULL DEFAULT 0 CHECK (used_bytes >= 0),
  used_objects INTEGER NOT NULL DEFAULT 0 CHECK (used_objects >= 0),
  reserved_bytes INTEGER NOT NULL DEFAULT 0 CHECK (reserved_bytes >= 0),
  -- Counts every change to the account's files.
  revision INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
  key_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts,
  name TEXT NOT NULL,
  -- Keyed hash of the secret; the secret itself is kept nowhere.
  hash BLOB NOT NULL UNIQUE,
  last4 TEXT NOT NULL,
  scopes TEXT NOT NULL CHECK (json_valid(scopes)),
  resources TEXT CHECK (json_valid(resources)),
  prefixes TEXT CHECK (json_valid(prefixes)),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at);

-- The bytes that object rows point to; copies share them.
CREATE TABLE contents (
  content_id TEXT PRIMARY KEY,
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
  pointing_rows INTEGER NOT NULL CHECK (pointing_rows > 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE content_blobs (
  content_id TEXT NOT NULL REFERENCES contents ON DELETE CASCADE,
  position INTEGER NOT NULL,
  blob_id TEXT NOT NULL,
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
  -- The bytes themselves when they are few; otherwise they lie in the blob store under blob_id.
  inline BLOB,
  PRIMARY KEY (content_id, position)
) STRICT;

CREATE TABLE objects (
  account_id TEXT NOT NULL REFERENCES accounts,
  -- 0 public, 1 private, 2 legacy: the order in which lists show them.
  space INTEGER NOT NULL CHECK (space IN (0, 1, 2)),
  key TEXT NOT NULL,
  content_id TEXT NOT NULL REFERENCES contents,
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
  etag TEXT NOT NULL,
  sha256 TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  cache_control TEXT,
  disposition TEXT CHECK (disposition IN ('inline', 'attachment')),
  original_name TEXT,
  metadata TEXT NOT NULL CHECK (json_valid(metadata)),
  PRIMARY KEY (account_id, space, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX objects_by_expiry ON objects (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX objects_by_content ON objects (content_id);

-- Blobs whose bytes no row names any more.
CREATE TABLE doomed_blobs (
  blob_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Quota held for uploads under way, and the blob that each flows into.
CREATE TABLE reservations (
  reservation_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts,
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
  blob_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Rate limits that have to survive a restart: blocks, and windows over a minute.
CREATE TABLE limit_windows (
  key TEXT PRIMARY KEY,
  used INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  blocked_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
