-- What the parts of an upload have to come to, as it was said at the start; NULL when nobody said, and for uploads from before.
ALTER TABLE chunked_uploads ADD COLUMN declared_bytes INTEGER CHECK (declared_bytes > 0);
