-- Keys that other keys are encrypted under.

-- What the master key gives for a fixed text. A start with another key is refused.
CREATE TABLE master_key_check (
  one BIGINT PRIMARY KEY CHECK (one = 1), -- There is one row.
  value TEXT NOT NULL                     -- The check value, which reveals nothing about the key.
);

-- Rotations of the master key, at most one of them unfinished.
CREATE TABLE master_key_rotations (
  number BIGINT PRIMARY KEY CHECK (number > 1), -- The number of the new key.
  check_value TEXT COLLATE "C" NOT NULL,        -- Recognises the new key.
  former_check TEXT COLLATE "C" NOT NULL,       -- Recognises the former key.
  began_at BIGINT NOT NULL,                     -- When it began.
  in_force_at BIGINT,                           -- When the new key came into force. NULL: it is not yet.
  signs_until BIGINT,                           -- Until when the former key still signs.
  finds_until BIGINT,                           -- Until when the former key still finds secrets by their hash.
  resealed_at BIGINT,                           -- When all rows were sealed under the new key. NULL: not yet.
  ended_at BIGINT,                              -- When it ended. NULL: it goes on.
  -- The new key, encrypted under the former one: a server with one has both. NULL once it has ended.
  sealed_key TEXT,
  sealed_former TEXT                            -- The former key, encrypted under the new one.
);

-- The root keys of encrypted blobs. Only the operator has the key-encryption key that wraps them.
CREATE TABLE root_keys (
  root_id TEXT COLLATE "C" NOT NULL, -- The root key.
  key_id TEXT COLLATE "C" NOT NULL,  -- The key-encryption key. While that is changed, there are two rows.
  wrapped BYTEA NOT NULL,            -- The root key, encrypted.
  made_at BIGINT NOT NULL,           -- When it was wrapped.
  PRIMARY KEY (root_id, key_id)
);
