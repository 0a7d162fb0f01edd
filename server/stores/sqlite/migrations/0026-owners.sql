-- The server process that a reservation belongs to. Here there is only one, so it has no name.
ALTER TABLE reservations ADD COLUMN owner TEXT NOT NULL DEFAULT '';

-- Uses of upload tokens that uploads under way have taken and may give back.
CREATE TABLE held_token_uses (
  token_id TEXT NOT NULL REFERENCES upload_tokens ON DELETE CASCADE,
  owner TEXT NOT NULL,
  uses INTEGER NOT NULL CHECK (uses >= 0),
  PRIMARY KEY (token_id, owner)
) STRICT, WITHOUT ROWID;

INSERT INTO held_token_uses SELECT token_id, '', uses_held FROM upload_tokens WHERE uses_held > 0;
ALTER TABLE upload_tokens DROP COLUMN uses_held;
