-- Files. An object is an address that points to a content, which copies share. A content is a list of blobs. If it is
-- only one, it is in the same row.

-- Columns of fixed width come first in large tables, so that no bytes are lost between others.

-- The bytes that objects and versions in the trash point to.
CREATE TABLE contents (
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0), -- The sum of its blobs.
  -- CRC-32 of the bytes, for archives.
  crc32 BIGINT NOT NULL CHECK (crc32 BETWEEN 0 AND 4294967295),
  -- How many rows of objects and trash point to it. At 0 it is removed.
  pointing_rows INTEGER NOT NULL CHECK (pointing_rows > 0),
  content_id TEXT COLLATE "C" PRIMARY KEY,            -- Its id.
  -- The name of its only blob in the store of bytes. NULL: it has several.
  blob_id TEXT COLLATE "C",
  checksum TEXT,                                      -- The checksum of that blob, as in content_blobs.
  inline BYTEA                                        -- The bytes of that blob, as in content_blobs.
);
-- Whether a row names a blob of the store. The start of a random name is enough.
CREATE INDEX contents_by_blob ON contents (substr(blob_id, 1, 7)) WHERE inline IS NULL;
-- Most files are compressed already, so trying to compress them is in vain.
ALTER TABLE contents ALTER COLUMN inline SET STORAGE EXTERNAL;

-- The blobs of a content that has several, in order.
CREATE TABLE content_blobs (
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),  -- Its length.
  position INTEGER NOT NULL,                           -- Its place within the content, from 0.
  -- The content.
  content_id TEXT COLLATE "C" NOT NULL REFERENCES contents ON DELETE CASCADE,
  blob_id TEXT COLLATE "C" NOT NULL,                   -- Its name in the store of bytes.
  -- The bytes themselves when they are few. NULL: they are in the store of bytes.
  inline BYTEA,
  -- The checksum of a part that a client sent over S3: the algorithm, a colon, the value in base64.
  checksum TEXT,
  PRIMARY KEY (content_id, position)
);
-- Whether a row names a blob of the store.
CREATE INDEX content_blobs_by_blob ON content_blobs (blob_id) WHERE inline IS NULL;
-- Most files are compressed already, so trying to compress them is in vain.
ALTER TABLE content_blobs ALTER COLUMN inline SET STORAGE EXTERNAL;

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

-- Blobs that are marked for deletion: no row names them any more. A job removes the bytes.
CREATE TABLE marked_blobs (
  blob_id TEXT COLLATE "C" PRIMARY KEY -- Its name in the store of bytes.
);

-- Quota that is reserved for uploads under way, and the blob that each of them writes.
CREATE TABLE reservations (
  reservation_id TEXT COLLATE "C" PRIMARY KEY,        -- Its id.
  -- The account whose quota is reserved.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0), -- Bytes that are part of the account's reserved_bytes.
  blob_id TEXT COLLATE "C" NOT NULL,                  -- The blob that the upload writes.
  -- Bytes that are part of the account's flowing_bytes.
  flowing_bytes BIGINT NOT NULL DEFAULT 0 CHECK (flowing_bytes >= 0),
  -- The server process of the upload. Empty: the only one.
  owner TEXT COLLATE "C" NOT NULL DEFAULT '' REFERENCES replicas
) WITH (fillfactor = 50);
-- What a process that is gone had reserved.
CREATE INDEX reservations_of_owner ON reservations (owner);

-- What `legacy import` has brought over, also when the file has been removed since.
CREATE TABLE legacy_imports (
  -- The account.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  key TEXT COLLATE "C" NOT NULL, -- The key of the file in the legacy space.
  sha256 TEXT NOT NULL,          -- SHA-256 of its bytes, in hexadecimal.
  PRIMARY KEY (account_id, key)
);
