-- oldest server: 8
-- Work on all files of a folder, and how far it has come.
CREATE TABLE folder_jobs (
  job_id TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  action TEXT NOT NULL CHECK (action IN ('move', 'copy', 'delete', 'restore', 'purge', 'update')),
  -- Without its trailing slash.
  prefix TEXT NOT NULL,
  destination TEXT,
  -- Further choices and who asked for it, as JSON.
  choices TEXT NOT NULL,
  is_dry_run BIGINT NOT NULL CHECK (is_dry_run IN (0, 1)),
  state TEXT NOT NULL CHECK (state IN ('counting', 'running', 'done', 'cancelled')),
  -- The last file that was looked at, as JSON. NULL before the first.
  place TEXT,
  total BIGINT NOT NULL DEFAULT 0,
  done BIGINT NOT NULL DEFAULT 0,
  failed BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  ended_at BIGINT,
  -- When a server may take it. Who takes it moves this. NULL once it has ended.
  due_at BIGINT
);

CREATE INDEX folder_jobs_of_account ON folder_jobs (account_id, created_at, job_id);
CREATE INDEX folder_jobs_due ON folder_jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX folder_jobs_by_end ON folder_jobs (ended_at) WHERE ended_at IS NOT NULL;

-- Files that could not be changed, up to a thousand of a job.
CREATE TABLE folder_job_failures (
  job_id TEXT COLLATE "C" NOT NULL REFERENCES folder_jobs ON DELETE CASCADE,
  number BIGINT NOT NULL,
  object_id TEXT NOT NULL,
  code TEXT NOT NULL,
  PRIMARY KEY (job_id, number)
);
