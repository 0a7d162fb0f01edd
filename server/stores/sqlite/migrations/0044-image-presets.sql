-- Variants of images with names, of an account.
CREATE TABLE image_presets (
  account_id TEXT NOT NULL REFERENCES accounts,
  name TEXT NOT NULL,
  -- The size, fit, quality and format, as JSON.
  variant TEXT NOT NULL CHECK (json_valid(variant)),
  PRIMARY KEY (account_id, name)
) STRICT, WITHOUT ROWID;
