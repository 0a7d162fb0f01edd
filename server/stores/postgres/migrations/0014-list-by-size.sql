-- oldest server: 3
-- Files of an account by size, for lists in that order.
CREATE INDEX objects_by_size ON objects (account_id, size_bytes, space, key);
