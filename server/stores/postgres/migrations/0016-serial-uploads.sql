-- oldest server: 3
-- Uploads whose bytes come in sequence: what their protocol has to answer again, as JSON; NULL for uploads by parts.
ALTER TABLE chunked_uploads ADD COLUMN serial TEXT;
-- Names the request that may append to the upload at present. A newer one puts its own name here.
ALTER TABLE chunked_uploads ADD COLUMN writer TEXT;
-- 1 for a part that the server cut itself, which may be smaller than 5 MiB.
ALTER TABLE chunked_parts ADD COLUMN is_cut BIGINT NOT NULL DEFAULT 0 CHECK (is_cut IN (0, 1));
