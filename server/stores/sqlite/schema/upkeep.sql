-- What is checked and made good in the background.

-- How far the background scrub has read, in the order of the ids of contents.
CREATE TABLE scrub (
  one INTEGER PRIMARY KEY CHECK (one = 1),             -- There is one row at most.
  began_at INTEGER NOT NULL,                           -- When the round began.
  read_bytes INTEGER NOT NULL CHECK (read_bytes >= 0), -- Bytes that were read.
  last_content_id TEXT NOT NULL,                       -- The content that was read last.
  read_files INTEGER NOT NULL DEFAULT 0,               -- Contents that were read.
  -- When an operator requested this round. It does not wait for its days.
  requested_at INTEGER,
  ended_at INTEGER                                     -- When the round ended. NULL: it goes on.
) STRICT;

-- Contents whose bytes were damaged or missing when they were last read.
CREATE TABLE damaged_contents (
  -- The content.
  content_id TEXT PRIMARY KEY REFERENCES contents ON DELETE CASCADE,
  found_at INTEGER NOT NULL -- When that was noticed.
) STRICT, WITHOUT ROWID;

-- Public URLs that the CDN has yet to drop, added in the transaction of the change.
CREATE TABLE purges (
  purge_id TEXT PRIMARY KEY, -- Sorts by the instant of the change.
  url TEXT NOT NULL,         -- The URL.
  -- The change whose caller purges the URL itself. If its process is killed, others do so once it is due.
  change_id TEXT,
  -- How often it failed.
  failed_tries INTEGER NOT NULL DEFAULT 0 CHECK (failed_tries >= 0),
  -- How many are purged in one call. It halves with each failed call.
  most_together INTEGER NOT NULL DEFAULT 100 CHECK (most_together > 0),
  -- When it is due. Who takes it moves this, so that others take it again if that process is killed.
  due_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Purges to send again.
CREATE INDEX purges_failed ON purges (due_at, purge_id) WHERE failed_tries > 0;
-- Purges to send.
CREATE INDEX purges_new ON purges (purge_id) WHERE failed_tries = 0;
-- The purges of a change.
CREATE INDEX purges_of_change ON purges (change_id) WHERE change_id IS NOT NULL;
