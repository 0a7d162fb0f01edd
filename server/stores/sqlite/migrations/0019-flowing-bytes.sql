-- Bytes on their way in that are not held against the quota: of unknown length, or in the place of a stored part. They end with their
-- reservation, and an account's may pass the room that it has by a fixed amount.
ALTER TABLE accounts ADD COLUMN flowing_bytes INTEGER NOT NULL DEFAULT 0 CHECK (flowing_bytes >= 0);
ALTER TABLE reservations ADD COLUMN flowing_bytes INTEGER NOT NULL DEFAULT 0 CHECK (flowing_bytes >= 0);
