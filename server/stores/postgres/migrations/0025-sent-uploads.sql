-- oldest server: 8
-- Files that others send to a file request in several requests. Until they are whole, they are uploads like others. NULL:
-- an upload of the account itself.
ALTER TABLE chunked_uploads ADD COLUMN request_id TEXT COLLATE "C";
ALTER TABLE chunked_uploads ADD COLUMN sender_hash TEXT COLLATE "C";
ALTER TABLE chunked_uploads ADD COLUMN sender_name TEXT;
CREATE INDEX chunked_uploads_of_request ON chunked_uploads (request_id) WHERE request_id IS NOT NULL AND state = 'open';
