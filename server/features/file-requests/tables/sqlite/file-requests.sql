-- Pages where others put files into a folder of the private space.

-- The pages.
CREATE TABLE file_requests (
  request_id TEXT PRIMARY KEY,                         -- Its id.
  link_hash TEXT NOT NULL UNIQUE,                      -- Keyed hash of the secret in the address of the page.
  -- That secret, encrypted, so that its owner sees the address again.
  sealed_link TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts,        -- The account that files go to.
  prefix TEXT NOT NULL,                                -- The folder that files go to.
  title TEXT NOT NULL,                                 -- What the page says first.
  note TEXT,                                           -- What the page says besides.
  created_at INTEGER NOT NULL,                         -- When it was made.
  deadline_at INTEGER,                                 -- Until when files are accepted. NULL: until it is closed.
  -- How long after that files are still accepted, and marked as late.
  grace_ms INTEGER NOT NULL CHECK (grace_ms >= 0),
  max_files INTEGER CHECK (max_files > 0),             -- How many files are accepted in all. NULL: any number.
  max_bytes INTEGER CHECK (max_bytes > 0),             -- How many bytes are accepted in all. NULL: any number.
  max_file_bytes INTEGER CHECK (max_file_bytes > 0),   -- The largest file that is accepted. NULL: any.
  -- The extensions that are accepted, a JSON list. Empty: all.
  allowed_extensions TEXT NOT NULL CHECK (json_valid(allowed_extensions)),
  password_hash TEXT,                                  -- Hash of the password. NULL: it has none.
  -- 1: each sender has a folder of their own.
  sender_folders INTEGER NOT NULL CHECK (sender_folders IN (0, 1)),
  closed_at INTEGER,                                   -- When its owner closed it. NULL: it is open.
  deleted_at INTEGER,                                  -- When its owner deleted it. NULL: it is not.
  files INTEGER NOT NULL DEFAULT 0 CHECK (files >= 0), -- Files that have arrived.
  bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0), -- Bytes that have arrived.
  -- Senders so far.
  senders INTEGER NOT NULL DEFAULT 0 CHECK (senders >= 0),
  -- 1 once the event of its end was recorded.
  is_end_told INTEGER NOT NULL DEFAULT 0 CHECK (is_end_told IN (0, 1))
) STRICT;
-- File requests whose end is to be recorded.
CREATE INDEX file_requests_by_deadline ON file_requests (deadline_at) WHERE deadline_at IS NOT NULL AND is_end_told = 0;
-- File requests to forget.
CREATE INDEX file_requests_deleted ON file_requests (deleted_at) WHERE deleted_at IS NOT NULL;
-- The file requests of an account.
CREATE INDEX file_requests_of_account ON file_requests (account_id, created_at, request_id);

-- Space that uploads under way have reserved. It ends with their process.
CREATE TABLE file_request_reservations (
  reservation_id TEXT PRIMARY KEY,           -- Its id.
  request_id TEXT NOT NULL,                  -- The file request.
  owner TEXT NOT NULL,                       -- The server process of the upload. Empty: the only one.
  files INTEGER NOT NULL CHECK (files >= 0), -- Files that it reserves space for.
  bytes INTEGER NOT NULL CHECK (bytes >= 0)  -- Bytes that it reserves space for.
) STRICT, WITHOUT ROWID;
-- What is reserved of a file request.
CREATE INDEX file_request_reservations_of_request ON file_request_reservations (request_id);

-- Uploads that are sent to a file request in several steps.
CREATE TABLE file_request_uploads (
  -- The upload. It says to which file request it is sent.
  upload_id TEXT PRIMARY KEY REFERENCES chunked_uploads ON DELETE CASCADE,
  sender_hash TEXT NOT NULL, -- Who sends it, as in file_request_senders.
  sender_name TEXT,          -- What the sender is called.
  sender_address TEXT,       -- The address that announced it.
  -- When the owner freed its place in the file request. NULL: it has one while bytes arrive.
  place_freed_at INTEGER
) STRICT, WITHOUT ROWID;

-- Who has sent something.
CREATE TABLE file_request_senders (
  request_id TEXT NOT NULL REFERENCES file_requests, -- The file request.
  sender_hash TEXT NOT NULL,                         -- Keyed hash of the secret in the sender's cookie.
  name TEXT,                                         -- What the sender is called.
  folder TEXT,                                       -- The folder of the sender, within that of the file request.
  -- The folder in lower case: no two senders share it on a system that ignores the case.
  folder_key TEXT,
  created_at INTEGER NOT NULL,                       -- When they first sent something.
  refused TEXT NOT NULL CHECK (json_valid(refused)), -- The latest files that were refused, a JSON list.
  PRIMARY KEY (request_id, sender_hash)
) STRICT, WITHOUT ROWID;
-- Whose folder it is.
CREATE UNIQUE INDEX file_request_sender_folders ON file_request_senders (request_id, folder_key)
  WHERE folder_key IS NOT NULL;

-- What each sender has sent, for their receipts.
CREATE TABLE file_request_files (
  request_id TEXT NOT NULL REFERENCES file_requests,   -- The file request.
  sender_hash TEXT NOT NULL,                           -- The sender.
  number INTEGER NOT NULL,                             -- Its place among the files of the sender.
  name TEXT NOT NULL,                                  -- The name that the sender gave it.
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0), -- Its length.
  sha256 TEXT,                                         -- SHA-256 of its bytes, in hexadecimal.
  received_at INTEGER NOT NULL,                        -- When it arrived.
  PRIMARY KEY (request_id, sender_hash, number)
) STRICT, WITHOUT ROWID;
