-- oldest server: 3
-- Public URLs that the CDN has yet to drop, added in the transaction of the change.
CREATE TABLE purges (
  -- Sorts by the instant of the change.
  purge_id TEXT COLLATE "C" PRIMARY KEY,
  url TEXT NOT NULL,
  -- The change whose caller purges the URL itself. If its process is killed, others do so once it is due.
  change_id TEXT COLLATE "C",
  failed_tries BIGINT NOT NULL DEFAULT 0 CHECK (failed_tries >= 0),
  -- It halves with each failed call.
  most_together BIGINT NOT NULL DEFAULT 100 CHECK (most_together > 0),
  -- Who takes a purge moves this, so that others take it again if that process is killed.
  due_at BIGINT NOT NULL
) WITH (fillfactor = 70);

CREATE INDEX purges_new ON purges (purge_id) WHERE failed_tries = 0;
CREATE INDEX purges_failed ON purges (due_at, purge_id) WHERE failed_tries > 0;
CREATE INDEX purges_of_change ON purges (change_id) WHERE change_id IS NOT NULL;
