-- The address that announced a file to a file request, and when its owner freed the room that the file held. NULL: it holds
-- its room as long as bytes arrive.
ALTER TABLE chunked_uploads ADD COLUMN sender_address TEXT;
ALTER TABLE chunked_uploads ADD COLUMN place_freed_at INTEGER;
