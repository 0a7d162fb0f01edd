-- Whether a row names a blob of the store. Small files, whose bytes are in their rows, are in neither.
CREATE INDEX content_blobs_by_blob ON content_blobs (blob_id) WHERE inline IS NULL;
CREATE INDEX chunked_parts_by_blob ON chunked_parts (blob_id) WHERE inline IS NULL;
