-- Tells the backups of this installation from those of others. The first backup makes it.
CREATE TABLE installation (
  one             INTEGER PRIMARY KEY CHECK (one = 1),
  installation_id TEXT NOT NULL
) STRICT;

-- While one of these has not expired, no bytes are removed: a backup is copying them.
CREATE TABLE blob_holds (
  hold_id    TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The last whole generation at each target of backups.
CREATE TABLE backups (
  target       TEXT PRIMARY KEY,
  generation   TEXT NOT NULL,
  completed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How far the background scrub has read, in the order of the ids of contents.
CREATE TABLE scrub (
  one             INTEGER PRIMARY KEY CHECK (one = 1),
  began_at        INTEGER NOT NULL,
  read_bytes      INTEGER NOT NULL CHECK (read_bytes >= 0),
  last_content_id TEXT NOT NULL
) STRICT;

-- Contents whose bytes were damaged or missing when they were last read.
CREATE TABLE damaged_contents (
  content_id TEXT PRIMARY KEY REFERENCES contents ON DELETE CASCADE,
  found_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
