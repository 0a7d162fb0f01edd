-- Links to files. The state of a link follows from its columns and from the file: see server/features/shares/share.ts.

-- Links to one file, or to several.
CREATE TABLE shares (
  share_id TEXT COLLATE "C" PRIMARY KEY,             -- Keyed hash of the id that opens the link.
  -- The account that made it.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  space SMALLINT NOT NULL CHECK (space IN (0, 1, 2)),  -- The space of the file, as in objects.
  -- The key of the file. For several files: the folder that holds them all, with its slash, or empty.
  key TEXT COLLATE "C" NOT NULL,
  -- The file that had that address when the link was made. For several files: empty.
  generation TEXT NOT NULL,
  created_at BIGINT NOT NULL,                        -- When it was made.
  expires_at BIGINT NOT NULL,                        -- When it ends by itself.
  max_downloads BIGINT CHECK (max_downloads > 0),    -- How many downloads it allows. NULL: any number.
  -- How many of them are left.
  remaining BIGINT CHECK (remaining BETWEEN 0 AND max_downloads AND (remaining IS NULL) = (max_downloads IS NULL)),
  password_hash TEXT,                                -- Hash of the password. NULL: it has none.
  landing BIGINT NOT NULL CHECK (landing IN (0, 1)), -- 1: a page shows the file before the download.
  revoked_at BIGINT,                                 -- When it was revoked. NULL: it was not.
  -- 1 once the event of its end was recorded: its file left, or time is over. 0 if the file comes back.
  is_end_told BIGINT NOT NULL DEFAULT 0 CHECK (is_end_told IN (0, 1)),
  -- The id that opens the link, encrypted, so that its owner sees the address again.
  sealed_id TEXT NOT NULL,
  -- Hash of the id under the current master key, if share_id is that under a former one.
  found_by TEXT COLLATE "C",
  -- What the page of the link says first. NULL: the name of the file.
  title TEXT COLLATE "C",
  message TEXT COLLATE "C",                          -- What the page says besides.
  -- Downloads so far.
  downloads BIGINT NOT NULL DEFAULT 0 CHECK (downloads >= 0),
  -- NULL: one file. files: those of share_files. folder: all under `key`.
  bundle TEXT COLLATE "C" CHECK (bundle IN ('files', 'folder')),
  file_count BIGINT CHECK (file_count > 0)           -- How many files share_files lists.
) WITH (fillfactor = 50);
-- Links to forget.
CREATE INDEX shares_by_expiry ON shares (expires_at);
-- Links that were made under a former master key.
CREATE UNIQUE INDEX shares_found_by ON shares (found_by) WHERE found_by IS NOT NULL;
-- Active links to a file.
CREATE INDEX shares_of_file ON shares (account_id, space, key, expires_at)
  WHERE revoked_at IS NULL AND is_end_told = 0 AND remaining IS DISTINCT FROM 0;
-- Links of an account without downloads left.
CREATE INDEX shares_spent ON shares (account_id, created_at, share_id) WHERE revoked_at IS NULL AND remaining = 0;
-- Active links of an account. However many are used up, this holds only those.
CREATE INDEX shares_with_downloads ON shares (account_id, expires_at)
  WHERE revoked_at IS NULL AND is_end_told = 0 AND remaining IS DISTINCT FROM 0;
-- All links to a file, also those that ended; those of an account, to remove them with it.
CREATE INDEX shares_of_account ON shares (account_id, space, key);

-- The files of a link that lists them. Those of a folder are looked up each time.
CREATE TABLE share_files (
  -- The link.
  share_id TEXT COLLATE "C" NOT NULL REFERENCES shares ON UPDATE CASCADE ON DELETE CASCADE,
  position BIGINT NOT NULL,                         -- Its place in the list, from 0.
  account_id TEXT COLLATE "C" NOT NULL,             -- As in objects.
  space SMALLINT NOT NULL CHECK (space IN (0, 1, 2)), -- As in objects.
  key TEXT COLLATE "C" NOT NULL,                    -- As in objects.
  generation TEXT COLLATE "C" NOT NULL,            -- The file that had that address when the link was made.
  PRIMARY KEY (share_id, position)
);

-- Downloads of links with a limit, each with the bytes that its client may still fetch.
CREATE TABLE share_downloads (
  download_id TEXT COLLATE "C" PRIMARY KEY,          -- Its id.
  -- The link.
  share_id TEXT COLLATE "C" NOT NULL REFERENCES shares ON UPDATE CASCADE ON DELETE CASCADE,
  address TEXT COLLATE "C" NOT NULL,                 -- The address of the client.
  user_agent TEXT NOT NULL,                          -- The program of the client.
  content_id TEXT COLLATE "C" NOT NULL,              -- The bytes that it downloads.
  opened_at BIGINT NOT NULL,                         -- When it was begun.
  -- When bytes were last taken. A slow response takes some for as long as it runs.
  used_at BIGINT NOT NULL,
  left_bytes BIGINT NOT NULL CHECK (left_bytes >= 0) -- How many bytes it may still fetch.
) WITH (fillfactor = 50);
-- Downloads that a request may resume.
CREATE INDEX share_downloads_by_client ON share_downloads (share_id, address, opened_at);
-- Downloads to forget.
CREATE INDEX share_downloads_by_use ON share_downloads (used_at);

-- Counters of tries of passwords: windows, and delays with their series.
CREATE TABLE password_tries (
  key TEXT COLLATE "C" PRIMARY KEY, -- What is tried, and from where.
  count BIGINT NOT NULL,            -- Tries so far.
  until BIGINT NOT NULL,            -- When the window or the delay ends.
  series TEXT NOT NULL,             -- Tells one series of delays from the next.
  forgotten_at BIGINT NOT NULL      -- When the row can be forgotten.
) WITH (fillfactor = 50);
-- Counters to forget.
CREATE INDEX password_tries_by_age ON password_tries (forgotten_at);
