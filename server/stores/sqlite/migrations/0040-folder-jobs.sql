-- Work on all files of a folder, and how far it has come.
CREATE TABLE folder_jobs (
  job_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts,
  action TEXT NOT NULL CHECK (action IN ('move', 'copy', 'delete', 'restore', 'purge', 'update')),
  -- Without its trailing slash.
  prefix TEXT NOT NULL,
  destination TEXT,
  -- Further choices and who asked for it, as JSON.
  choices TEXT NOT NULL CHECK (json_valid(choices)),
  is_dry_run INTEGER NOT NULL CHECK (is_dry_run IN (0, 1)),
  state TEXT NOT NULL CHECK (state IN ('counting', 'running', 'done', 'cancelled')),
  -- The last file that was looked at, as JSON. NULL before the first.
  place TEXT CHECK (json_valid(place)),
  total INTEGER NOT NULL DEFAULT 0,
  done INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  -- When a server may take it. Who takes it moves this. NULL once it has ended.
  due_at INTEGER
) STRICT;

CREATE INDEX folder_jobs_of_account ON folder_jobs (account_id, created_at, job_id);
CREATE INDEX folder_jobs_due ON folder_jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX folder_jobs_by_end ON folder_jobs (ended_at) WHERE ended_at IS NOT NULL;

-- Files that could not be changed, up to a thousand of a job.
CREATE TABLE folder_job_failures (
  job_id TEXT NOT NULL REFERENCES folder_jobs ON DELETE CASCADE,
  number INTEGER NOT NULL,
  object_id TEXT NOT NULL,
  code TEXT NOT NULL,
  PRIMARY KEY (job_id, number)
) STRICT, WITHOUT ROWID;
