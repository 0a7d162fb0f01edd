-- Pages where others put files into a folder of the private space.
CREATE TABLE file_requests (
  request_id TEXT PRIMARY KEY,
  -- Keyed hash of the secret in the address of the page, and the secret itself, encrypted.
  link_hash TEXT NOT NULL UNIQUE,
  sealed_link TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts,
  prefix TEXT NOT NULL,
  title TEXT NOT NULL,
  note TEXT,
  created_at INTEGER NOT NULL,
  deadline_at INTEGER,
  grace_ms INTEGER NOT NULL CHECK (grace_ms >= 0),
  max_files INTEGER CHECK (max_files > 0),
  max_bytes INTEGER CHECK (max_bytes > 0),
  max_file_bytes INTEGER CHECK (max_file_bytes > 0),
  allowed_extensions TEXT NOT NULL CHECK (json_valid(allowed_extensions)),
  password_hash TEXT,
  sender_folders INTEGER NOT NULL CHECK (sender_folders IN (0, 1)),
  closed_at INTEGER,
  deleted_at INTEGER,
  -- What has arrived.
  files INTEGER NOT NULL DEFAULT 0 CHECK (files >= 0),
  bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  senders INTEGER NOT NULL DEFAULT 0 CHECK (senders >= 0),
  -- 1 once the event of its end was recorded.
  is_end_told INTEGER NOT NULL DEFAULT 0 CHECK (is_end_told IN (0, 1))
) STRICT;

CREATE INDEX file_requests_of_account ON file_requests (account_id, created_at, request_id);
CREATE INDEX file_requests_by_deadline ON file_requests (deadline_at) WHERE deadline_at IS NOT NULL AND is_end_told = 0;
CREATE INDEX file_requests_deleted ON file_requests (deleted_at) WHERE deleted_at IS NOT NULL;

-- Room that uploads under way hold. The rows of a process end with it.
CREATE TABLE file_request_holds (
  hold_id TEXT PRIMARY KEY,
  request_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  files INTEGER NOT NULL CHECK (files >= 0),
  bytes INTEGER NOT NULL CHECK (bytes >= 0)
) STRICT, WITHOUT ROWID;

CREATE INDEX file_request_holds_of_request ON file_request_holds (request_id);

-- Who has sent something.
CREATE TABLE file_request_senders (
  request_id TEXT NOT NULL REFERENCES file_requests,
  sender_hash TEXT NOT NULL,
  name TEXT,
  folder TEXT,
  -- The folder in lower case, so that no two senders share it on a system that ignores the case.
  folder_key TEXT,
  created_at INTEGER NOT NULL,
  refused TEXT NOT NULL CHECK (json_valid(refused)),
  PRIMARY KEY (request_id, sender_hash)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX file_request_sender_folders ON file_request_senders (request_id, folder_key) WHERE folder_key IS NOT NULL;

-- What each sender has sent, for their receipts.
CREATE TABLE file_request_files (
  request_id TEXT NOT NULL REFERENCES file_requests,
  sender_hash TEXT NOT NULL,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
  sha256 TEXT,
  received_at INTEGER NOT NULL,
  PRIMARY KEY (request_id, sender_hash, number)
) STRICT, WITHOUT ROWID;
