-- The bytes of files. A content is a list of blobs. If it is only one, it is in the same row.

-- The bytes that objects and versions in the trash point to.
CREATE TABLE contents (
  content_id TEXT PRIMARY KEY,                         -- Its id.
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0), -- The sum of its blobs.
  -- How many rows of objects and trash point to it. At 0 it is removed.
  pointing_rows INTEGER NOT NULL CHECK (pointing_rows > 0),
  -- CRC-32 of the bytes, for archives.
  crc32 INTEGER NOT NULL CHECK (crc32 BETWEEN 0 AND 4294967295),
  -- The name of its only blob in the store of bytes. NULL: it has several.
  blob_id TEXT,
  checksum TEXT,                                       -- The checksum of that blob, as in content_blobs.
  inline BLOB                                          -- The bytes of that blob, as in content_blobs.
) STRICT;
-- Whether a row names a blob of the store. The start of a random name is enough.
CREATE INDEX contents_by_blob ON contents (substr(blob_id, 1, 7)) WHERE inline IS NULL;

-- The blobs of a content that has several, in order.
CREATE TABLE content_blobs (
  -- The content.
  content_id TEXT NOT NULL REFERENCES contents ON DELETE CASCADE,
  position INTEGER NOT NULL,                            -- Its place within the content, from 0.
  blob_id TEXT NOT NULL,                                -- Its name in the store of bytes.
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),  -- Its length.
  -- The bytes themselves when they are few. NULL: they are in the store of bytes.
  inline BLOB,
  -- The checksum of a part that a client sent over S3: the algorithm, a colon, the value in base64.
  checksum TEXT,
  PRIMARY KEY (content_id, position)
) STRICT;
-- Whether a row names a blob of the store.
CREATE INDEX content_blobs_by_blob ON content_blobs (blob_id) WHERE inline IS NULL;

-- Blobs that are marked for deletion: no row names them any more. A job removes the bytes.
CREATE TABLE marked_blobs (
  blob_id TEXT PRIMARY KEY -- Its name in the store of bytes.
) STRICT, WITHOUT ROWID;

-- Quota that is reserved for uploads under way, and the blob that each of them writes.
CREATE TABLE reservations (
  reservation_id TEXT PRIMARY KEY,                     -- Its id.
  account_id TEXT NOT NULL REFERENCES accounts,        -- The account whose quota is reserved.
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0), -- Bytes that are part of the account's reserved_bytes.
  blob_id TEXT NOT NULL,                               -- The blob that the upload writes.
  -- Bytes that are part of the account's flowing_bytes.
  flowing_bytes INTEGER NOT NULL DEFAULT 0 CHECK (flowing_bytes >= 0),
  owner TEXT NOT NULL DEFAULT ''                       -- The server process of the upload. Empty: the only one.
) STRICT, WITHOUT ROWID;
