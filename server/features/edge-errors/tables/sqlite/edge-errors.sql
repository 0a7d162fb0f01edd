-- Errors that the edge answered for an application, counted from access logs.

-- Applications with errors, under short numbers, since each count carries one.
CREATE TABLE edge_apps (
  app_no INTEGER PRIMARY KEY,                  -- The number.
  app_id TEXT NOT NULL UNIQUE REFERENCES apps, -- The application.
  revision INTEGER NOT NULL                    -- Counts up with every change of the application's counts.
) STRICT;

-- Paths as they are counted.
CREATE TABLE edge_paths (
  path_id INTEGER PRIMARY KEY, -- Its number.
  path TEXT NOT NULL UNIQUE    -- The path.
) STRICT;

-- On which days of which applications a path was counted.
CREATE TABLE edge_path_days (
  app_no INTEGER NOT NULL REFERENCES edge_apps,   -- The application.
  day INTEGER NOT NULL,                           -- The day, counted from 1970 in UTC.
  path_id INTEGER NOT NULL REFERENCES edge_paths, -- The path.
  PRIMARY KEY (app_no, day, path_id)
) STRICT, WITHOUT ROWID;
-- Paths that no day names.
CREATE INDEX edge_days_of_path ON edge_path_days (path_id);

-- Errors of each second (resolution 0), minute (1), hour (2) and day (3). Coarser rows are the sum of the finer ones.
CREATE TABLE edge_errors (
  app_no INTEGER NOT NULL REFERENCES edge_apps, -- The application.
  -- Which unit of time.
  resolution INTEGER NOT NULL CHECK (resolution BETWEEN 0 AND 3),
  at INTEGER NOT NULL,                          -- The unit, numbered from 1970 on.
  -- The HTTP status.
  status INTEGER NOT NULL CHECK (status BETWEEN 400 AND 599),
  method INTEGER NOT NULL,                      -- The method, as a number: see edge-error.ts.
  count INTEGER NOT NULL CHECK (count > 0),     -- How many.
  PRIMARY KEY (app_no, resolution, at, status, method)
) STRICT, WITHOUT ROWID;

-- The same by path: one row for a unit, since a month may hold hundreds of thousands of kinds.
CREATE TABLE edge_path_errors (
  app_no INTEGER NOT NULL REFERENCES edge_apps,         -- The application.
  -- Which unit of time.
  resolution INTEGER NOT NULL CHECK (resolution BETWEEN 0 AND 3),
  at INTEGER NOT NULL,                                  -- The unit, numbered from 1970 on.
  -- Pairs of numbers of 64 bits: kind (server/features/edge-errors/path-kind.ts) and count.
  counts BLOB NOT NULL CHECK (length(counts) % 16 = 0),
  PRIMARY KEY (app_no, resolution, at)
) STRICT;

-- How far access logs have been read: see server/features/edge-errors/log-checkpoint.ts.
CREATE TABLE edge_logs (
  log_id INTEGER PRIMARY KEY,                  -- Its number.
  app_id TEXT NOT NULL REFERENCES apps,        -- The application.
  path TEXT NOT NULL,                          -- The path of the log.
  inode TEXT NOT NULL,                         -- The file at that path.
  offset INTEGER NOT NULL CHECK (offset >= 0), -- The bytes that were read.
  lines INTEGER NOT NULL CHECK (lines >= 0),   -- The lines that were read.
  head_sha256 TEXT NOT NULL,                   -- SHA-256 of the first bytes.
  tail_sha256 TEXT NOT NULL,                   -- SHA-256 of the last bytes that were read.
  moved_at INTEGER NOT NULL                    -- When it was last read.
) STRICT;
-- Logs to forget.
CREATE INDEX edge_logs_by_age ON edge_logs (moved_at);
-- The logs of an application.
CREATE INDEX edge_logs_of_app ON edge_logs (app_id);
