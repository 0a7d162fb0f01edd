-- oldest server: 8
-- Variants of images with names, of an account.
CREATE TABLE image_presets (
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  name TEXT COLLATE "C" NOT NULL,
  -- The size, fit, quality and format, as JSON.
  variant TEXT NOT NULL,
  PRIMARY KEY (account_id, name)
);
