-- oldest server: 3
-- Tells the backups of this installation from those of others. The first backup makes it.
CREATE TABLE installation (
  one             BIGINT PRIMARY KEY CHECK (one = 1),
  installation_id TEXT COLLATE "C" NOT NULL
);

-- While one of these has not expired, no bytes are removed: a backup is copying them.
CREATE TABLE blob_holds (
  hold_id    TEXT COLLATE "C" PRIMARY KEY,
  expires_at BIGINT NOT NULL
);

-- The last whole generation at each target of backups.
CREATE TABLE backups (
  target       TEXT COLLATE "C" PRIMARY KEY,
  generation   TEXT COLLATE "C" NOT NULL,
  completed_at BIGINT NOT NULL
);

-- How far the background scrub has read, in the order of the ids of contents.
CREATE TABLE scrub (
  one             BIGINT PRIMARY KEY CHECK (one = 1),
  began_at        BIGINT NOT NULL,
  read_bytes      BIGINT NOT NULL CHECK (read_bytes >= 0),
  last_content_id TEXT COLLATE "C" NOT NULL
);

-- Contents whose bytes were damaged or missing when they were last read.
CREATE TABLE damaged_contents (
  content_id TEXT COLLATE "C" PRIMARY KEY REFERENCES contents ON DELETE CASCADE,
  found_at   BIGINT NOT NULL
);
