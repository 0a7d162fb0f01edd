-- Variants of images.

-- Variants with names.
CREATE TABLE image_presets (
  account_id TEXT NOT NULL REFERENCES accounts,      -- The account.
  name TEXT NOT NULL,                                -- Its name.
  variant TEXT NOT NULL CHECK (json_valid(variant)), -- The size, fit, quality and format, as JSON.
  PRIMARY KEY (account_id, name)
) STRICT, WITHOUT ROWID;
