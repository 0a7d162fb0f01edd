-- Rules of folders.

-- What holds for the files under a prefix. NULL where an option is not set.
CREATE TABLE rules (
  -- The account.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  -- The folder, with its trailing slash.
  prefix TEXT COLLATE "C" NOT NULL CHECK (prefix LIKE '_%/'),
  private BIGINT CHECK (private IN (0, 1)),         -- 1: new files are private. 0: public.
  expire_hours BIGINT CHECK (expire_hours > 0),     -- After how many hours new files are deleted.
  max_size_bytes BIGINT CHECK (max_size_bytes > 0), -- The largest file that is accepted.
  extensions TEXT,                                  -- The extensions that are accepted, a JSON list.
  cache_control TEXT,                               -- The Cache-Control of new files.
  -- After how many days files are deleted, also those from before the rule.
  delete_after_days BIGINT CHECK (delete_after_days > 0),
  -- When it was saved in this form. Deletion by age begins 24 hours later.
  created_at BIGINT NOT NULL,
  -- It has seen all files that were written until then. NULL: none since it was saved.
  swept_until BIGINT,
  -- For how many days the trash keeps what is deleted or replaced. NULL: not at all.
  keep_deleted_days BIGINT CHECK (keep_deleted_days BETWEEN 1 AND 365),
  -- How many versions of a key the trash keeps. NULL: all.
  keep_versions BIGINT CHECK (keep_versions BETWEEN 1 AND 1000),
  -- 1 once the trash was swept for keep_versions. From then on each deletion counts.
  is_counted BIGINT NOT NULL DEFAULT 0 CHECK (is_counted IN (0, 1)),
  PRIMARY KEY (account_id, prefix)
);
-- Accounts with rules that delete by age.
CREATE INDEX rules_that_delete ON rules (account_id) WHERE delete_after_days IS NOT NULL;
-- Accounts whose trash is to be swept for keep_versions.
CREATE INDEX rules_uncounted ON rules (account_id) WHERE keep_versions IS NOT NULL AND is_counted = 0;
