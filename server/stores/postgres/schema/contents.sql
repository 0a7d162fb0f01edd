-- The bytes of files. A content is a list of blobs. If it is only one, it is in the same row.

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
