-- Endpoints that events are sent to. Their secrets are encrypted under the master key.
CREATE TABLE webhooks (
  webhook_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts,
  url TEXT NOT NULL,
  -- JSON lists; NULL for all.
  types TEXT,
  prefixes TEXT,
  format TEXT NOT NULL CHECK (format IN ('standard', 's3')),
  description TEXT NOT NULL,
  -- Whether it gets events that are about no file.
  sees_account INTEGER NOT NULL CHECK (sees_account IN (0, 1)),
  sealed_secret TEXT NOT NULL,
  sealed_key TEXT NOT NULL,
  public_key TEXT NOT NULL,
  -- The secrets of before a rotation, until they sign no longer.
  sealed_former_secret TEXT,
  sealed_former_key TEXT,
  former_until INTEGER,
  created_at INTEGER NOT NULL,
  -- NULL while it is enabled.
  disabled_reason TEXT CHECK (disabled_reason IN ('gone', 'failing', 'request')),
  -- Up to this event of the account, its deliveries are written.
  written_sequence INTEGER NOT NULL,
  -- The events that are to be delivered again: the last one whose delivery is written, and the last one of the range.
  replayed_sequence INTEGER,
  replay_until INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  failing_since INTEGER,
  -- After many failures in a row nothing is sent before this.
  paused_until INTEGER NOT NULL DEFAULT 0,
  last_success_at INTEGER,
  last_error TEXT
) STRICT;

CREATE INDEX webhooks_of_account ON webhooks (account_id, created_at);

CREATE TABLE webhook_deliveries (
  webhook_id TEXT NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  type TEXT NOT NULL,
  event_at INTEGER NOT NULL,
  -- What its order is kept for: the key of its file, and the former one.
  order_key TEXT,
  former_key TEXT,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  -- The earlier pending delivery that it waits for.
  waits_for INTEGER,
  -- When it is due. Who takes it moves this. NULL unless it is pending and waits for none.
  due_at INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  tried_at INTEGER,
  duration_ms INTEGER,
  status INTEGER,
  error TEXT,
  ended_at INTEGER,
  PRIMARY KEY (webhook_id, sequence)
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at, sequence) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, waits_for) WHERE waits_for IS NOT NULL;
CREATE INDEX webhook_deliveries_by_key ON webhook_deliveries (webhook_id, order_key, sequence) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_by_former ON webhook_deliveries (webhook_id, former_key, sequence) WHERE state = 'pending' AND former_key IS NOT NULL;
CREATE INDEX webhook_deliveries_by_end ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
