-- Files. An object is an address that points to a content, which copies share.

-- Columns of fixed width come first in large tables, so that no bytes are lost between others.

-- Files by address. An account, a space and a key have one file at most.
CREATE TABLE objects (
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0), -- Its length, as in contents.
  created_at BIGINT NOT NULL,                         -- When it was written.
  expires_at BIGINT,                                  -- When it is deleted. NULL: never.
  -- 0 public, 1 private, 2 legacy: the order in which lists show them.
  space SMALLINT NOT NULL CHECK (space IN (0, 1, 2)),
  -- The account that owns the file.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  -- Its key, at most 1024 bytes of UTF-8. Keys compare by their bytes.
  key TEXT COLLATE "C" NOT NULL CHECK (octet_length(key) <= 2048),
  -- Its bytes.
  content_id TEXT COLLATE "C" NOT NULL REFERENCES contents,
  -- Its entity tag: an MD5, or the text of another one, without quotes.
  etag BYTEA NOT NULL,
  sha256 BYTEA,                                       -- SHA-256 of the bytes. NULL until a job has computed it.
  -- The Cache-Control that it is delivered with. NULL: that of its space.
  cache_control TEXT,
  -- How browsers show it. NULL: by its type.
  disposition TEXT CHECK (disposition IN ('inline', 'attachment')),
  original_name TEXT,                                 -- The name of the file that was uploaded, for downloads.
  metadata TEXT NOT NULL,                             -- The client's own fields, a JSON object.
  -- The random part that the key has after the name. Empty: that before mark and extension. NULL: none.
  hash TEXT,
  mark TEXT,                                          -- The mark of the expiry that was added to the name. NULL: none.
  extension TEXT NOT NULL,                            -- The extension that was added to the name. Empty: none.
  generation TEXT NOT NULL,                           -- Tells a file from another one that had its address before.
  -- What S3 clients set on it and the REST API has no field for, as JSON. NULL: nothing.
  s3 TEXT,
  -- Tells one form of a file from those before it and after it. Sorts by age.
  version_id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, space, key)
);
-- Lists by age, and rules that delete by age. Few files have the same instant, so those are sorted when they are read.
CREATE INDEX objects_by_age ON objects (account_id, created_at);
-- The files of a content.
CREATE INDEX objects_by_content ON objects (content_id);
-- Files to delete.
CREATE INDEX objects_by_expiry ON objects (expires_at) WHERE expires_at IS NOT NULL;
-- Lists by size.
CREATE INDEX objects_by_size ON objects (account_id, size_bytes, space, key);
-- Files whose SHA-256 a job still computes.
CREATE INDEX objects_unhashed ON objects (content_id) WHERE sha256 IS NULL;

-- What `legacy import` has brought over, also when the file has been removed since.
CREATE TABLE legacy_imports (
  -- The account.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  key TEXT COLLATE "C" NOT NULL, -- The key of the file in the legacy space.
  sha256 TEXT NOT NULL,          -- SHA-256 of its bytes, in hexadecimal.
  PRIMARY KEY (account_id, key)
);

-- The place of a part in a text, from 1 on. 0 if it is not there. SQLite's has this name too.
CREATE FUNCTION instr(whole TEXT, part TEXT) RETURNS INTEGER LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN strpos(whole, part);
