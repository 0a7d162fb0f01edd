-- Links to several files. NULL is a link to one file. For others, `key` is the folder that holds all of their files, with
-- its slash, or empty, and `incarnation` is empty.
ALTER TABLE shares ADD COLUMN bundle TEXT CHECK (bundle IN ('files', 'folder'));
-- How many files the link lists. NULL unless `bundle` is 'files'.
ALTER TABLE shares ADD COLUMN file_count INTEGER CHECK (file_count > 0);

-- The files of a link that lists them. Those of a folder are looked up each time.
CREATE TABLE share_files (
  share_id TEXT NOT NULL REFERENCES shares ON UPDATE CASCADE ON DELETE CASCADE,
  position INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  space INTEGER NOT NULL CHECK (space IN (0, 1, 2)),
  key TEXT NOT NULL,
  incarnation TEXT NOT NULL,
  PRIMARY KEY (share_id, position)
) STRICT, WITHOUT ROWID;

-- CRC-32 of the bytes, for archives. NULL until a job has computed it.
ALTER TABLE contents ADD COLUMN crc32 INTEGER CHECK (crc32 BETWEEN 0 AND 4294967295);
ALTER TABLE content_blobs ADD COLUMN crc32 INTEGER CHECK (crc32 BETWEEN 0 AND 4294967295);
ALTER TABLE chunked_parts ADD COLUMN crc32 INTEGER CHECK (crc32 BETWEEN 0 AND 4294967295);

CREATE INDEX contents_without_crc32 ON contents (content_id) WHERE crc32 IS NULL;
