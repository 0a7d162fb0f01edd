-- The parts of a closed upload go a few at a time: 1 while there are some left.
ALTER TABLE chunked_uploads ADD COLUMN has_parts_left INTEGER NOT NULL DEFAULT 0 CHECK (has_parts_left IN (0, 1));
-- The content that took the blobs of its parts; NULL when none did.
ALTER TABLE chunked_uploads ADD COLUMN content_id TEXT;
CREATE INDEX chunked_uploads_with_parts_left ON chunked_uploads (closed_at) WHERE has_parts_left = 1;
