-- oldest server: 8
-- When somebody asked to cancel a deploy. A superseded one with it was cancelled: older servers know no such state.
ALTER TABLE deploys ADD COLUMN cancel_asked_at BIGINT;

-- The pushes of the window that began at pushed_at. Those that the filters rejected have a window of their own.
ALTER TABLE git_webhooks ADD COLUMN pushes BIGINT NOT NULL DEFAULT 1;
ALTER TABLE git_webhooks ADD COLUMN filtered_at BIGINT;
ALTER TABLE git_webhooks ADD COLUMN filtered BIGINT NOT NULL DEFAULT 0;

-- Which pushes are deployed, as JSON; NULL: all.
ALTER TABLE apps ADD COLUMN deploy_filters TEXT;

-- An address that queues a deploy without a git host.
CREATE TABLE deploy_hooks (
  app_id TEXT COLLATE "C" PRIMARY KEY REFERENCES apps,
  code_hash BYTEA NOT NULL UNIQUE,
  -- For a rotation of the master key.
  sealed_code TEXT NOT NULL,
  repository TEXT NOT NULL,
  branch TEXT COLLATE "C" NOT NULL,
  host TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  -- The uses of the window that began at used_at.
  used_at BIGINT,
  uses BIGINT NOT NULL DEFAULT 0
);

-- The token that reports deploys to the host of the repository, and how the last report went.
CREATE TABLE commit_status_tokens (
  app_id TEXT COLLATE "C" PRIMARY KEY REFERENCES apps,
  sealed_token TEXT NOT NULL,
  -- The token is sent to the API of this origin alone.
  origin TEXT COLLATE "C" NOT NULL,
  host TEXT NOT NULL,
  context TEXT NOT NULL,
  target_url TEXT,
  sent_at BIGINT,
  error TEXT
);

-- What is still to be reported: the newest state of a deploy.
CREATE TABLE commit_statuses (
  deploy_id TEXT COLLATE "C" PRIMARY KEY,
  app_id TEXT COLLATE "C" NOT NULL REFERENCES apps,
  origin TEXT COLLATE "C" NOT NULL,
  state TEXT NOT NULL,
  -- Counts up with every new state, so that an attempt under way does not remove a newer one.
  revision BIGINT NOT NULL,
  tries BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  -- Until then an attempt is under way.
  taken_until BIGINT NOT NULL DEFAULT 0
);

CREATE INDEX commit_statuses_due ON commit_statuses (origin, due_at);
CREATE INDEX commit_statuses_of_app ON commit_statuses (app_id);
