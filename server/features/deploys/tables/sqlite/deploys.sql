-- Pushes to applications, and their deploys. What is sealed can be read with the master key alone.

-- Where repository hosts deliver the pushes of an application.
CREATE TABLE git_webhooks (
  app_id TEXT PRIMARY KEY REFERENCES apps, -- The application.
  code_hash BLOB NOT NULL UNIQUE,          -- Keyed hash of the code in the address.
  sealed_code TEXT NOT NULL,               -- That code, sealed.
  sealed_token TEXT NOT NULL,              -- The token that clones the repository, sealed.
  sealed_secret TEXT,                      -- The secret that signs pushes, sealed. NULL: pushes are not signed.
  -- Origin of the first repository pushed with a signature, or cloned. No other is sent the token.
  token_origin TEXT,
  pushed_at INTEGER,                       -- When the window of counted pushes began. NULL: there was no push.
  pushes INTEGER NOT NULL DEFAULT 1,       -- The pushes of that window.
  filtered_at INTEGER,                     -- When the window of pushes that the filters rejected began.
  filtered INTEGER NOT NULL DEFAULT 0      -- The pushes of that window.
) STRICT, WITHOUT ROWID;

-- What an application has of deploys. Without a row: no change yet, and no filters.
CREATE TABLE deploy_apps (
  app_id TEXT PRIMARY KEY REFERENCES apps,        -- The application.
  revision INTEGER NOT NULL DEFAULT 0,            -- Counts changes of its webhook and its deploys, so that caches notice.
  filters TEXT CHECK (json_valid(filters))        -- Which pushes are deployed, as JSON. NULL: all.
) STRICT, WITHOUT ROWID;

-- Deploys. Of a branch one waits and one runs, at most.
CREATE TABLE deploys (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, -- Counts up, in the order of the pushes.
  deploy_id TEXT NOT NULL UNIQUE,             -- Its id.
  app_id TEXT NOT NULL REFERENCES apps,       -- The application.
  -- How far it is.
  state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'success', 'error', 'superseded', 'cancelled')),
  branch TEXT NOT NULL,                       -- The branch.
  commit_id TEXT NOT NULL,                    -- The commit.
  message TEXT,                               -- The first line of the commit's message.
  repository TEXT,                            -- Where it can be cloned from. NULL: the push did not say.
  host TEXT NOT NULL,                         -- Whose form of a credential its host understands.
  created_at INTEGER NOT NULL,                -- When it was queued.
  updated_at INTEGER NOT NULL,                -- When its state last changed.
  tries INTEGER NOT NULL CHECK (tries >= 0),  -- How often it was begun.
  due_at INTEGER NOT NULL,                    -- It is not begun before this.
  lease_id TEXT,                              -- Who runs it. NULL: nobody does.
  leased_until INTEGER,                       -- Until when it is theirs if they say nothing more.
  -- When somebody requested to cancel it. NULL: nobody did.
  cancel_requested_at INTEGER,
  CHECK ((state = 'running') = (lease_id IS NOT NULL) AND (lease_id IS NULL) = (leased_until IS NULL))
) STRICT;
-- Deploys to begin.
CREATE INDEX deploys_in_turn ON deploys (sequence) WHERE state = 'pending';
-- Deploys whose runner is gone.
CREATE INDEX deploys_leased ON deploys (leased_until) WHERE state = 'running';
-- The deploys of an application.
CREATE INDEX deploys_of_app ON deploys (app_id, sequence);
-- The deploys of a branch.
CREATE INDEX deploys_of_branch ON deploys (app_id, branch, sequence);
-- Of a branch one runs, at most.
CREATE UNIQUE INDEX deploys_running ON deploys (app_id, branch) WHERE state = 'running';
-- Of a branch one waits, at most.
CREATE UNIQUE INDEX deploys_waiting ON deploys (app_id, branch) WHERE state = 'pending';

-- Pushes that were answered 200, so that a repeated one queues nothing.
CREATE TABLE git_deliveries (
  app_id TEXT NOT NULL REFERENCES apps, -- The application.
  hash BLOB NOT NULL,                   -- Hash of the id that the host sent, or of the bytes.
  -- The deploys that it queued, a JSON list.
  deploy_ids TEXT NOT NULL CHECK (json_valid(deploy_ids)),
  at INTEGER NOT NULL,                  -- When it came.
  PRIMARY KEY (app_id, hash)
) STRICT, WITHOUT ROWID;
-- Pushes to forget.
CREATE INDEX git_deliveries_by_age ON git_deliveries (at);

-- Addresses that queue a deploy without a git host.
CREATE TABLE deploy_hooks (
  app_id TEXT PRIMARY KEY REFERENCES apps, -- The application.
  code_hash BLOB NOT NULL UNIQUE,          -- Keyed hash of the code in the address.
  sealed_code TEXT NOT NULL,               -- That code, sealed, for a rotation of the master key.
  repository TEXT NOT NULL,                -- What is deployed: the repository.
  branch TEXT NOT NULL,                    -- What is deployed: the branch.
  host TEXT NOT NULL,                      -- As in deploys.
  created_at INTEGER NOT NULL,             -- When it was made.
  used_at INTEGER,                         -- When the window of counted uses began. NULL: it was not used.
  uses INTEGER NOT NULL DEFAULT 0          -- The uses of that window.
) STRICT, WITHOUT ROWID;

-- The tokens that report deploys to the hosts of the repositories.
CREATE TABLE commit_status_tokens (
  app_id TEXT PRIMARY KEY REFERENCES apps, -- The application.
  sealed_token TEXT NOT NULL,              -- The token, sealed.
  origin TEXT NOT NULL,                    -- The token is sent to the API of this origin alone.
  host TEXT NOT NULL,                      -- As in deploys.
  context TEXT NOT NULL,                   -- The name under which the host shows the reports.
  target_url TEXT,                         -- The link that the host shows. NULL: none.
  sent_at INTEGER,                         -- When a report was last accepted. NULL: never.
  error TEXT                               -- What went wrong with the last report. NULL: nothing.
) STRICT, WITHOUT ROWID;

-- What is still to be reported: the newest state of a deploy.
CREATE TABLE commit_statuses (
  deploy_id TEXT PRIMARY KEY,            -- The deploy.
  app_id TEXT NOT NULL REFERENCES apps,  -- The application.
  origin TEXT NOT NULL,                  -- As in commit_status_tokens.
  state TEXT NOT NULL,                   -- The state to report.
  -- Counts up with every new state, so that an attempt under way does not remove a newer one.
  revision INTEGER NOT NULL,
  tries INTEGER NOT NULL,                -- How often it was tried.
  due_at INTEGER NOT NULL,               -- When it is due.
  taken_until INTEGER NOT NULL DEFAULT 0 -- Until then an attempt is under way.
) STRICT, WITHOUT ROWID;
-- Reports to send.
CREATE INDEX commit_statuses_due ON commit_statuses (origin, due_at);
-- The reports of an application.
CREATE INDEX commit_statuses_of_app ON commit_statuses (app_id);
