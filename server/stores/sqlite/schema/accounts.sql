-- Accounts, and what each of them stores and is charged for.

-- Accounts with their plan and their totals, which the transaction of each change keeps exact.
CREATE TABLE accounts (
  account_id TEXT PRIMARY KEY,                  -- Its id.
  name TEXT NOT NULL,                           -- Its name, for people.
  -- Its plan, which sets its limits: see server/domain/plan.ts.
  plan TEXT NOT NULL CHECK (plan IN ('none', 'hobby', 'standard', 'pro', 'enterprise')),
  created_at INTEGER NOT NULL,                  -- When it was created.
  quota_bytes INTEGER CHECK (quota_bytes >= 0), -- Its own quota of bytes. NULL: that of the plan.
  -- Bytes of its files, the trash included.
  used_bytes INTEGER NOT NULL DEFAULT 0 CHECK (used_bytes >= 0),
  -- Number of its files, without the trash.
  used_objects INTEGER NOT NULL DEFAULT 0 CHECK (used_objects >= 0),
  -- Bytes that uploads under way hold against the quota.
  reserved_bytes INTEGER NOT NULL DEFAULT 0 CHECK (reserved_bytes >= 0),
  revision INTEGER NOT NULL DEFAULT 0,          -- Counts every change to the account's files.
  activity_count INTEGER NOT NULL DEFAULT 0,    -- Entries of activity so far: the sequence of the newest one.
  -- Up to when usage_days is complete. From then on used_bytes have been stored.
  settled_at INTEGER NOT NULL DEFAULT 0,
  -- Its own budget of the AI gateway, in tokens a day. NULL: that of the plan.
  ai_tokens_per_day INTEGER CHECK (ai_tokens_per_day > 0),
  ai_limits TEXT,                               -- Its own limits in the AI gateway, as JSON. NULL: the plan's.
  -- Bytes on their way in that are not reserved in the quota: of unknown length, or replacing a part.
  flowing_bytes INTEGER NOT NULL DEFAULT 0 CHECK (flowing_bytes >= 0),
  suspended_at INTEGER,                         -- When an operator stopped the account. NULL: it is not stopped.
  deleted_at INTEGER,                           -- When an operator deleted it. It is removed 7 days later.
  -- Events so far: the sequence of the newest one.
  event_count INTEGER NOT NULL DEFAULT 0 CHECK (event_count >= 0),
  trash_bytes INTEGER NOT NULL DEFAULT 0,       -- Bytes in its trash, which are part of used_bytes.
  trash_objects INTEGER NOT NULL DEFAULT 0,     -- Number of files in its trash.
  -- For how many days the console keeps what a person deletes in it. NULL: never set.
  keep_deleted_days INTEGER CHECK (keep_deleted_days BETWEEN 0 AND 365)
) STRICT, WITHOUT ROWID;
-- Lists of accounts.
CREATE INDEX accounts_by_age ON accounts (created_at, account_id);
-- Accounts to remove.
CREATE INDEX accounts_deleted ON accounts (deleted_at) WHERE deleted_at IS NOT NULL;

-- Stopped accounts whose public files the CDN has yet to drop, and how far their purges are written.
CREATE TABLE account_purges (
  -- The stopped account.
  account_id TEXT PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  space INTEGER NOT NULL, -- The space that is being gone through, as in objects.
  last_key TEXT           -- The last key whose purge is written. NULL before the first one of the space.
) STRICT, WITHOUT ROWID;

-- What an account stored on each day.
CREATE TABLE usage_days (
  account_id TEXT NOT NULL REFERENCES accounts, -- The account.
  day INTEGER NOT NULL,                         -- The midnight in UTC at which the day begins.
  byte_ms TEXT NOT NULL,                        -- Bytes times milliseconds, in decimal: more than 64 bits.
  object_ms TEXT NOT NULL,                      -- Files times milliseconds, in decimal.
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;

-- Requests of an account and bytes sent to it, on each day.
CREATE TABLE traffic_days (
  account_id TEXT NOT NULL REFERENCES accounts,    -- The account.
  day INTEGER NOT NULL,                            -- The midnight in UTC at which the day begins.
  requests INTEGER NOT NULL CHECK (requests >= 0), -- Requests that were answered.
  -- Bytes of bodies that were sent.
  egress_bytes INTEGER NOT NULL CHECK (egress_bytes >= 0),
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;
-- Days to forget.
CREATE INDEX traffic_days_by_age ON traffic_days (day);
