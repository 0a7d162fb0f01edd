-- Variants of images.

-- Variants with names.
CREATE TABLE image_presets (
  -- The account.
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  name TEXT COLLATE "C" NOT NULL, -- Its name.
  variant TEXT NOT NULL,          -- The size, fit, quality and format, as JSON.
  PRIMARY KEY (account_id, name)
);
