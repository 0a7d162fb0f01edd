-- oldest server: 8
-- Links to several files. NULL is a link to one file. For others, `key` is the folder that holds all of their files, with
-- its slash, or empty, and `incarnation` is empty.
ALTER TABLE shares ADD COLUMN bundle TEXT COLLATE "C" CHECK (bundle IN ('files', 'folder'));
-- How many files the link lists. NULL unless `bundle` is 'files'.
ALTER TABLE shares ADD COLUMN file_count BIGINT CHECK (file_count > 0);

-- The files of a link that lists them. Those of a folder are looked up each time.
CREATE TABLE share_files (
  share_id TEXT COLLATE "C" NOT NULL REFERENCES shares ON UPDATE CASCADE ON DELETE CASCADE,
  position BIGINT NOT NULL,
  account_id TEXT COLLATE "C" NOT NULL,
  space BIGINT NOT NULL CHECK (space IN (0, 1, 2)),
  key TEXT COLLATE "C" NOT NULL,
  incarnation TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (share_id, position)
);

-- CRC-32 of the bytes, for archives. NULL until a job has computed it. A check would read all rows under a lock.
ALTER TABLE contents ADD COLUMN IF NOT EXISTS crc32 BIGINT;
ALTER TABLE content_blobs ADD COLUMN crc32 BIGINT;
ALTER TABLE chunked_parts ADD COLUMN crc32 BIGINT;

CREATE INDEX IF NOT EXISTS contents_without_crc32 ON contents (content_id) WHERE crc32 IS NULL;
