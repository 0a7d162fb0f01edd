-- oldest server: 8
-- The address that announced a file to a file request, and when its owner freed the room that the file held. NULL: it holds
-- its room as long as bytes arrive.
ALTER TABLE chunked_uploads ADD COLUMN IF NOT EXISTS sender_address TEXT COLLATE "C";
ALTER TABLE chunked_uploads ADD COLUMN IF NOT EXISTS place_freed_at BIGINT;
