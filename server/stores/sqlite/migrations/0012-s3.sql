-- What S3 clients set on a file and the REST API has no field for; NULL for files that they did not write.
ALTER TABLE objects ADD COLUMN s3 TEXT CHECK (json_valid(s3));

-- The public part of the key's S3 pair, also the salt of its secret: 16 of A-Z and 0-9. NULL for a key that has no pair.
ALTER TABLE api_keys ADD COLUMN s3_salt TEXT;
UPDATE api_keys SET s3_salt = hex(randomblob(8));
CREATE UNIQUE INDEX api_keys_by_s3_salt ON api_keys (s3_salt) WHERE s3_salt IS NOT NULL;
-- Tells whether the master key is still the one that the pair was made under; NULL for pairs of keys from before.
ALTER TABLE api_keys ADD COLUMN s3_check TEXT;

-- Uploads in parts that were begun over S3: what their file will carry, and the checksum that their parts have.
ALTER TABLE chunked_uploads ADD COLUMN s3 TEXT CHECK (json_valid(s3));

-- S3 numbers parts up to 10000, and its only part may be empty.
CREATE TABLE new_chunked_parts (
  upload_id TEXT NOT NULL REFERENCES chunked_uploads ON DELETE CASCADE,
  part INTEGER NOT NULL CHECK (part BETWEEN 1 AND 10000),
  -- In which order the parts of the upload came.
  sequence INTEGER NOT NULL,
  blob_id TEXT NOT NULL,
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
  md5 TEXT NOT NULL,
  -- As in content_blobs.
  inline BLOB,
  -- The algorithm that the upload names, a colon, and the value in base64.
  checksum TEXT,
  -- When it came; 0 for parts from before.
  received_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (upload_id, part)
) STRICT;

INSERT INTO new_chunked_parts (upload_id, part, sequence, blob_id, size_bytes, md5, inline)
  SELECT upload_id, part, sequence, blob_id, size_bytes, md5, inline FROM chunked_parts;
DROP TABLE chunked_parts;
ALTER TABLE new_chunked_parts RENAME TO chunked_parts;

-- A file of parts has one blob a part, whose checksum stays with it.
ALTER TABLE content_blobs ADD COLUMN checksum TEXT;
