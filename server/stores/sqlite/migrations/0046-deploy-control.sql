-- When somebody asked to cancel a deploy. A superseded one with it was cancelled: older servers know no such state.
ALTER TABLE deploys ADD COLUMN cancel_asked_at INTEGER;

-- The pushes of the window that began at pushed_at. Those that the filters rejected have a window of their own.
ALTER TABLE git_webhooks ADD COLUMN pushes INTEGER NOT NULL DEFAULT 1;
ALTER TABLE git_webhooks ADD COLUMN filtered_at INTEGER;
ALTER TABLE git_webhooks ADD COLUMN filtered INTEGER NOT NULL DEFAULT 0;

-- Which pushes are deployed, as JSON; NULL: all.
ALTER TABLE apps ADD COLUMN deploy_filters TEXT CHECK (json_valid(deploy_filters));

-- An address that queues a deploy without a git host.
CREATE TABLE deploy_hooks (
  app_id TEXT PRIMARY KEY REFERENCES apps,
  code_hash BLOB NOT NULL UNIQUE,
  -- For a rotation of the master key.
  sealed_code TEXT NOT NULL,
  repository TEXT NOT NULL,
  branch TEXT NOT NULL,
  host TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- The uses of the window that began at used_at.
  used_at INTEGER,
  uses INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- The token that reports deploys to the host of the repository, and how the last report went.
CREATE TABLE commit_status_tokens (
  app_id TEXT PRIMARY KEY REFERENCES apps,
  sealed_token TEXT NOT NULL,
  -- The token is sent to the API of this origin alone.
  origin TEXT NOT NULL,
  host TEXT NOT NULL,
  context TEXT NOT NULL,
  target_url TEXT,
  sent_at INTEGER,
  error TEXT
) STRICT, WITHOUT ROWID;

-- What is still to be reported: the newest state of a deploy.
CREATE TABLE commit_statuses (
  deploy_id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps,
  origin TEXT NOT NULL,
  state TEXT NOT NULL,
  -- Counts up with every new state, so that an attempt under way does not remove a newer one.
  revision INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  -- Until then an attempt is under way.
  taken_until INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE INDEX commit_statuses_due ON commit_statuses (origin, due_at);
CREATE INDEX commit_statuses_of_app ON commit_statuses (app_id);
