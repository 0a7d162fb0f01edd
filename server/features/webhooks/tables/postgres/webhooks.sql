-- Events, and their deliveries to webhooks.

-- Columns of fixed width come first in large tables, so that no bytes are lost between others.

-- What has happened in an account, added in the transaction of the change.
CREATE TABLE events (
  sequence BIGINT NOT NULL, -- Counts up within the account without gaps, in the order of the commits.
  at BIGINT NOT NULL,       -- When.
  -- The account.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  type TEXT NOT NULL,       -- What happened.
  key TEXT COLLATE "C",     -- The key of the file that it is about. NULL: about none.
  data TEXT NOT NULL,       -- What clients see of it, as JSON.
  PRIMARY KEY (account_id, sequence)
);
-- Events to forget.
CREATE INDEX events_by_age ON events ((at / 60000));

-- Endpoints that events are sent to.
CREATE TABLE webhooks (
  webhook_id TEXT COLLATE "C" PRIMARY KEY, -- Its id.
  -- The account.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  sealed_url TEXT NOT NULL,                -- The address, encrypted, because it may hold a secret of its receiver.
  types TEXT,                              -- The types of events that it gets, a JSON list. NULL: all.
  prefixes TEXT,                           -- The folders whose events it gets, a JSON list. NULL: all.
  -- The form of the bodies.
  format TEXT NOT NULL CHECK (format IN ('standard', 's3')),
  description TEXT NOT NULL,               -- What its owner says of it.
  -- 1: it gets events that are about no file.
  sees_account BIGINT NOT NULL CHECK (sees_account IN (0, 1)),
  sealed_secret TEXT NOT NULL,             -- The secret that signs deliveries, encrypted.
  sealed_key TEXT NOT NULL,                -- The private key that signs deliveries, encrypted.
  public_key TEXT NOT NULL,                -- The public key of that.
  sealed_former_secret TEXT,               -- The secret before a rotation, until former_until.
  sealed_former_key TEXT,                  -- The private key before a rotation, until former_until.
  former_until BIGINT,                     -- Until when the former secrets sign as well.
  created_at BIGINT NOT NULL,              -- When it was made.
  -- Why it is disabled. NULL: it is enabled.
  disabled_reason TEXT CHECK (disabled_reason IN ('gone', 'failing', 'request')),
  written_sequence BIGINT NOT NULL,        -- Up to this event of the account, its deliveries are written.
  -- Of the events that are to be delivered again: the last one whose delivery is written.
  replayed_sequence BIGINT,
  replay_until BIGINT,                     -- Of the events that are to be delivered again: the last one.
  failures BIGINT NOT NULL DEFAULT 0,      -- Failures in a row.
  failing_since BIGINT,                    -- When the first of them was. NULL: none.
  paused_until BIGINT NOT NULL DEFAULT 0,  -- After many failures in a row nothing is sent before this.
  last_success_at BIGINT,                  -- When a delivery last succeeded. NULL: never.
  last_error TEXT                          -- What went wrong with the last failure.
);
-- The webhooks of an account.
CREATE INDEX webhooks_of_account ON webhooks (account_id, created_at);

-- Deliveries, until some time after they end.
CREATE TABLE webhook_deliveries (
  -- The webhook.
  webhook_id TEXT COLLATE "C" NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  sequence BIGINT NOT NULL,        -- The event.
  type TEXT NOT NULL,              -- The type of the event.
  event_at BIGINT NOT NULL,        -- When the event happened.
  order_key TEXT COLLATE "C",      -- Deliveries with the same one keep their order: the key of the file.
  former_key TEXT COLLATE "C",     -- Another key whose order it keeps: the one before a move.
  -- How far it is.
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  waits_for BIGINT,                -- The earlier pending delivery that it waits for.
  -- When it is due. Who takes it moves this. NULL unless it is pending and waits for none.
  due_at BIGINT,
  tries BIGINT NOT NULL DEFAULT 0, -- How often it was tried.
  tried_at BIGINT,                 -- When it was last tried.
  duration_ms BIGINT,              -- How long the last try took.
  status BIGINT,                   -- The HTTP status of the last response.
  error TEXT,                      -- What went wrong with the last try.
  ended_at BIGINT,                 -- When it succeeded or was given up. NULL: it is pending.
  PRIMARY KEY (webhook_id, sequence)
) WITH (fillfactor = 70);
-- Deliveries to forget.
CREATE INDEX webhook_deliveries_by_end ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
-- Pending deliveries of a file under its former key.
CREATE INDEX webhook_deliveries_by_former ON webhook_deliveries (webhook_id, former_key, sequence)
  WHERE state = 'pending' AND former_key IS NOT NULL;
-- Pending deliveries of a file.
CREATE INDEX webhook_deliveries_by_key ON webhook_deliveries (webhook_id, order_key, sequence) WHERE state = 'pending';
-- Deliveries to take.
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at, sequence) WHERE due_at IS NOT NULL;
-- Deliveries that wait for one.
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, waits_for) WHERE waits_for IS NOT NULL;
