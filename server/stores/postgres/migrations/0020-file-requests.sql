-- oldest server: 8
-- Pages where others put files into a folder of the private space.
CREATE TABLE file_requests (
  request_id TEXT COLLATE "C" PRIMARY KEY,
  -- Keyed hash of the secret in the address of the page, and the secret itself, encrypted.
  link_hash TEXT COLLATE "C" NOT NULL UNIQUE,
  sealed_link TEXT NOT NULL,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  prefix TEXT COLLATE "C" NOT NULL,
  title TEXT NOT NULL,
  note TEXT,
  created_at BIGINT NOT NULL,
  deadline_at BIGINT,
  grace_ms BIGINT NOT NULL CHECK (grace_ms >= 0),
  max_files BIGINT CHECK (max_files > 0),
  max_bytes BIGINT CHECK (max_bytes > 0),
  max_file_bytes BIGINT CHECK (max_file_bytes > 0),
  allowed_extensions TEXT NOT NULL,
  password_hash TEXT,
  sender_folders BIGINT NOT NULL CHECK (sender_folders IN (0, 1)),
  closed_at BIGINT,
  deleted_at BIGINT,
  -- What has arrived.
  files BIGINT NOT NULL DEFAULT 0 CHECK (files >= 0),
  bytes BIGINT NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  senders BIGINT NOT NULL DEFAULT 0 CHECK (senders >= 0),
  -- 1 once the event of its end was recorded.
  is_end_told BIGINT NOT NULL DEFAULT 0 CHECK (is_end_told IN (0, 1))
);

CREATE INDEX file_requests_of_account ON file_requests (account_id, created_at, request_id);
CREATE INDEX file_requests_by_deadline ON file_requests (deadline_at) WHERE deadline_at IS NOT NULL AND is_end_told = 0;
CREATE INDEX file_requests_deleted ON file_requests (deleted_at) WHERE deleted_at IS NOT NULL;

-- Room that uploads under way hold. The rows of a process end with it.
CREATE TABLE file_request_holds (
  hold_id TEXT COLLATE "C" PRIMARY KEY,
  request_id TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  files BIGINT NOT NULL CHECK (files >= 0),
  bytes BIGINT NOT NULL CHECK (bytes >= 0)
);

CREATE INDEX file_request_holds_of_owner ON file_request_holds (owner);
CREATE INDEX file_request_holds_of_request ON file_request_holds (request_id);

-- Who has sent something.
CREATE TABLE file_request_senders (
  request_id TEXT COLLATE "C" NOT NULL REFERENCES file_requests,
  sender_hash TEXT COLLATE "C" NOT NULL,
  name TEXT,
  folder TEXT,
  -- The folder in lower case, so that no two senders share it on a system that ignores the case.
  folder_key TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  refused TEXT NOT NULL,
  PRIMARY KEY (request_id, sender_hash)
);

CREATE UNIQUE INDEX file_request_sender_folders ON file_request_senders (request_id, folder_key) WHERE folder_key IS NOT NULL;

-- What each sender has sent, for their receipts.
CREATE TABLE file_request_files (
  request_id TEXT COLLATE "C" NOT NULL REFERENCES file_requests,
  sender_hash TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  name TEXT NOT NULL,
  size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),
  sha256 TEXT,
  received_at BIGINT NOT NULL,
  PRIMARY KEY (request_id, sender_hash, number)
);
