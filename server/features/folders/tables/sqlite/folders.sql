-- Work on all files of a folder.

-- Jobs, and how far they have come.
CREATE TABLE folder_jobs (
  job_id TEXT PRIMARY KEY,                           -- Its id.
  account_id TEXT NOT NULL REFERENCES accounts,      -- The account.
  -- What is done to each file.
  action TEXT NOT NULL CHECK (action IN ('move', 'copy', 'delete', 'restore', 'purge', 'update')),
  prefix TEXT NOT NULL,                              -- The folder, without its trailing slash.
  destination TEXT,                                  -- The folder that files are moved or copied to.
  choices TEXT NOT NULL CHECK (json_valid(choices)), -- Further choices and who requested it, as JSON.
  -- 1: it only counts.
  is_dry_run INTEGER NOT NULL CHECK (is_dry_run IN (0, 1)),
  -- How far it is.
  state TEXT NOT NULL CHECK (state IN ('counting', 'running', 'done', 'cancelled')),
  -- The last file that was looked at, as JSON. NULL before the first one.
  place TEXT CHECK (json_valid(place)),
  total INTEGER NOT NULL DEFAULT 0,                  -- Files that were counted.
  done INTEGER NOT NULL DEFAULT 0,                   -- Files that were changed.
  failed INTEGER NOT NULL DEFAULT 0,                 -- Files that could not be changed.
  created_at INTEGER NOT NULL,                       -- When it was started.
  ended_at INTEGER,                                  -- When it ended. NULL: it has not.
  -- When a server may take it. Who takes it moves this. NULL once it has ended.
  due_at INTEGER
) STRICT;
-- Jobs to forget.
CREATE INDEX folder_jobs_by_end ON folder_jobs (ended_at) WHERE ended_at IS NOT NULL;
-- Jobs to take.
CREATE INDEX folder_jobs_due ON folder_jobs (due_at) WHERE due_at IS NOT NULL;
-- The jobs of an account.
CREATE INDEX folder_jobs_of_account ON folder_jobs (account_id, created_at, job_id);

-- Files that could not be changed, up to a thousand of a job.
CREATE TABLE folder_job_failures (
  -- The job.
  job_id TEXT NOT NULL REFERENCES folder_jobs ON DELETE CASCADE,
  number INTEGER NOT NULL, -- Its place among the failures of the job.
  object_id TEXT NOT NULL, -- The file, as clients name it.
  code TEXT NOT NULL,      -- The error code.
  PRIMARY KEY (job_id, number)
) STRICT, WITHOUT ROWID;
