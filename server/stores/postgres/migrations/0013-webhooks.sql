-- oldest server: 8
-- Endpoints that events are sent to. Their secrets are encrypted under the master key.
CREATE TABLE webhooks (
  webhook_id TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  url TEXT NOT NULL,
  -- JSON lists; NULL for all.
  types TEXT,
  prefixes TEXT,
  format TEXT NOT NULL CHECK (format IN ('standard', 's3')),
  description TEXT NOT NULL,
  -- Whether it gets events that are about no file.
  sees_account BIGINT NOT NULL CHECK (sees_account IN (0, 1)),
  sealed_secret TEXT NOT NULL,
  sealed_key TEXT NOT NULL,
  public_key TEXT NOT NULL,
  -- The secrets of before a rotation, until they sign no longer.
  sealed_former_secret TEXT,
  sealed_former_key TEXT,
  former_until BIGINT,
  created_at BIGINT NOT NULL,
  -- NULL while it is enabled.
  disabled_reason TEXT CHECK (disabled_reason IN ('gone', 'failing', 'request')),
  -- Up to this event of the account, its deliveries are written.
  written_sequence BIGINT NOT NULL,
  -- The events that are to be delivered again: the last one whose delivery is written, and the last one of the range.
  replayed_sequence BIGINT,
  replay_until BIGINT,
  failures BIGINT NOT NULL DEFAULT 0,
  failing_since BIGINT,
  -- After many failures in a row nothing is sent before this.
  paused_until BIGINT NOT NULL DEFAULT 0,
  last_success_at BIGINT,
  last_error TEXT
);

CREATE INDEX webhooks_of_account ON webhooks (account_id, created_at);

CREATE TABLE webhook_deliveries (
  webhook_id TEXT COLLATE "C" NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  sequence BIGINT NOT NULL,
  type TEXT NOT NULL,
  event_at BIGINT NOT NULL,
  -- What its order is kept for: the key of its file, and the former one.
  order_key TEXT COLLATE "C",
  former_key TEXT COLLATE "C",
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  -- The earlier pending delivery that it waits for.
  waits_for BIGINT,
  -- When it is due. Who takes it moves this. NULL unless it is pending and waits for none.
  due_at BIGINT,
  tries BIGINT NOT NULL DEFAULT 0,
  tried_at BIGINT,
  duration_ms BIGINT,
  status BIGINT,
  error TEXT,
  ended_at BIGINT,
  PRIMARY KEY (webhook_id, sequence)
) WITH (fillfactor = 70);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at, sequence) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, waits_for) WHERE waits_for IS NOT NULL;
CREATE INDEX webhook_deliveries_by_key ON webhook_deliveries (webhook_id, order_key, sequence) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_by_former ON webhook_deliveries (webhook_id, former_key, sequence) WHERE state = 'pending' AND former_key IS NOT NULL;
CREATE INDEX webhook_deliveries_by_end ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
