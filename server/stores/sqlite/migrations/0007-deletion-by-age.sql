-- Files of an account by age, so that rules find what has become old without walking over all the others.
CREATE INDEX objects_by_age ON objects (account_id, created_at, space, key);

-- The rule has seen all files that were written until then; NULL when it has not seen any since it was saved.
ALTER TABLE rules ADD COLUMN swept_until INTEGER;
