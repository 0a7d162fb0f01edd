-- Applications for which the edge has answered errors, under short numbers, since each count carries one.
CREATE TABLE edge_apps (
  app_no INTEGER PRIMARY KEY,
  app_id TEXT NOT NULL UNIQUE REFERENCES apps,
  -- Counts up with every change of the application's counts.
  revision INTEGER NOT NULL
) STRICT;

-- Paths as they are counted, and on which days (counted from 1970, in UTC) of which applications.
CREATE TABLE edge_paths (
  path_id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE edge_path_days (
  app_no INTEGER NOT NULL REFERENCES edge_apps,
  day INTEGER NOT NULL,
  path_id INTEGER NOT NULL REFERENCES edge_paths,
  PRIMARY KEY (app_no, day, path_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX edge_days_of_path ON edge_path_days (path_id);

-- Errors of each second (resolution 0), minute (1), hour (2) and day (3), numbered from 1970 on; each row of a coarser
-- resolution is the sum of the finer ones. Methods are numbers: see server/domain/edge-errors/edge-error.ts.
CREATE TABLE edge_errors (
  app_no INTEGER NOT NULL REFERENCES edge_apps,
  resolution INTEGER NOT NULL CHECK (resolution BETWEEN 0 AND 3),
  at INTEGER NOT NULL,
  status INTEGER NOT NULL CHECK (status BETWEEN 400 AND 599),
  method INTEGER NOT NULL,
  count INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (app_no, resolution, at, status, method)
) STRICT, WITHOUT ROWID;

-- The same, by path: of each unit one row with all its kinds of errors, since a month may hold hundreds of thousands of them.
-- Pairs of numbers of 64 bits: kind (server/domain/edge-errors/path-kind.ts) and count.
CREATE TABLE edge_path_errors (
  app_no INTEGER NOT NULL REFERENCES edge_apps,
  resolution INTEGER NOT NULL CHECK (resolution BETWEEN 0 AND 3),
  at INTEGER NOT NULL,
  counts BLOB NOT NULL CHECK (length(counts) % 16 = 0),
  PRIMARY KEY (app_no, resolution, at)
) STRICT;

-- How far access logs have been read; see server/domain/edge-errors/log-checkpoint.ts.
CREATE TABLE edge_logs (
  log_id INTEGER PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps,
  path TEXT NOT NULL,
  inode TEXT NOT NULL,
  offset INTEGER NOT NULL CHECK (offset >= 0),
  lines INTEGER NOT NULL CHECK (lines >= 0),
  head_sha256 TEXT NOT NULL,
  tail_sha256 TEXT NOT NULL,
  moved_at INTEGER NOT NULL
) STRICT;

CREATE INDEX edge_logs_of_app ON edge_logs (app_id);
CREATE INDEX edge_logs_by_age ON edge_logs (moved_at);
