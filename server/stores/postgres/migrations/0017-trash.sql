-- oldest server: 8
-- Tells one form of a file from those before it and after it. NULL in rows of older versions.
ALTER TABLE objects ADD COLUMN version_id TEXT COLLATE "C";

-- For how many days the trash keeps what is deleted or replaced under the prefix. NULL: not at all.
ALTER TABLE rules ADD COLUMN keep_deleted_days BIGINT CHECK (keep_deleted_days BETWEEN 1 AND 365);

-- What the trash holds of the account. Its bytes are part of used_bytes.
ALTER TABLE accounts ADD COLUMN trash_bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN trash_objects BIGINT NOT NULL DEFAULT 0;

-- Files that were deleted or replaced, with the columns of objects.
CREATE TABLE trash (
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  version_id TEXT COLLATE "C" NOT NULL,
  space BIGINT NOT NULL CHECK (space IN (0, 1, 2)),
  key TEXT COLLATE "C" NOT NULL CHECK (octet_length(key) <= 2048),
  content_id TEXT COLLATE "C" NOT NULL REFERENCES contents,
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),
  etag TEXT NOT NULL,
  sha256 TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  cache_control TEXT,
  disposition TEXT CHECK (disposition IN ('inline', 'attachment')),
  original_name TEXT,
  metadata TEXT NOT NULL,
  hash TEXT,
  mark TEXT,
  extension TEXT,
  incarnation TEXT NOT NULL,
  s3 TEXT,
  deleted_at BIGINT NOT NULL,
  purge_at BIGINT NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('deleted', 'replaced')),
  PRIMARY KEY (account_id, version_id)
);

-- In the order of lists: the newest version of a key first.
CREATE INDEX trash_by_key ON trash (account_id, space, key, version_id DESC);
CREATE INDEX trash_by_purge ON trash (purge_at);
CREATE INDEX trash_by_content ON trash (content_id);
