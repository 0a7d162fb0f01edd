-- Counters of requests and of failures.

-- Rate limits that survive a restart: blocks, and windows over a minute.
CREATE TABLE limit_windows (
  key TEXT PRIMARY KEY,          -- What is counted, and for whom.
  used INTEGER NOT NULL,         -- What was used of the window.
  ends_at INTEGER NOT NULL,      -- When the window ends.
  blocked_until INTEGER NOT NULL -- Until when all is refused. 0: nothing is.
) STRICT, WITHOUT ROWID;
-- Windows to forget.
CREATE INDEX limit_windows_by_end ON limit_windows (ends_at);
