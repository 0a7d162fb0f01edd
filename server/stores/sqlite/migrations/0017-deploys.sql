-- Counts up with every change of the application's webhook and of its deploys, so that what is cached of them is known to be old.
ALTER TABLE apps ADD COLUMN deploy_revision INTEGER NOT NULL DEFAULT 0;

-- Where repository hosts deliver the pushes of an application. What is sealed can be read with the master key alone.
CREATE TABLE git_webhooks (
  app_id TEXT PRIMARY KEY REFERENCES apps,
  code_hash BLOB NOT NULL UNIQUE,
  sealed_code TEXT NOT NULL,
  sealed_token TEXT NOT NULL,
  sealed_secret TEXT,
  -- Scheme, host and port of the repository that was pushed with a signature, or cloned, first: nobody else is sent the token.
  token_origin TEXT,
  -- When the last push was queued.
  pushed_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE deploys (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  deploy_id TEXT NOT NULL UNIQUE,
  app_id TEXT NOT NULL REFERENCES apps,
  state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'success', 'error', 'superseded')),
  branch TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  message TEXT,
  -- Where it can be cloned from, and whose words for a credential its host understands.
  repository TEXT,
  host TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- How often it was begun; it is not begun again before due_at.
  tries INTEGER NOT NULL CHECK (tries >= 0),
  due_at INTEGER NOT NULL,
  -- Who runs it, and until when it is theirs if they say nothing more.
  lease_id TEXT,
  leased_until INTEGER,
  CHECK ((state = 'running') = (lease_id IS NOT NULL) AND (lease_id IS NULL) = (leased_until IS NULL))
) STRICT;

CREATE INDEX deploys_of_app ON deploys (app_id, sequence);
CREATE INDEX deploys_of_branch ON deploys (app_id, branch, sequence);
-- Of a branch one waits and one runs, at most.
CREATE UNIQUE INDEX deploys_waiting ON deploys (app_id, branch) WHERE state = 'pending';
CREATE UNIQUE INDEX deploys_running ON deploys (app_id, branch) WHERE state = 'running';
CREATE INDEX deploys_in_turn ON deploys (sequence) WHERE state = 'pending';
CREATE INDEX deploys_leased ON deploys (leased_until) WHERE state = 'running';

-- Deliveries that were answered 200: by the id that the host sent, and by their bytes.
CREATE TABLE git_deliveries (
  app_id TEXT NOT NULL REFERENCES apps,
  hash BLOB NOT NULL,
  deploy_ids TEXT NOT NULL CHECK (json_valid(deploy_ids)),
  at INTEGER NOT NULL,
  PRIMARY KEY (app_id, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX git_deliveries_by_age ON git_deliveries (at);
