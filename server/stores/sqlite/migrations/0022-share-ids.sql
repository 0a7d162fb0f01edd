-- From here on share_id is the keyed hash of the id that opens a link, as of every other credential. The id itself is kept encrypted, so that its
-- owner sees the address again. Links from before have no sealed_id and lie under the id itself, until the start that applies this migration
-- has hidden theirs: SQL has no keys. See server/stores/sqlite/hide-share-ids.ts.
ALTER TABLE shares ADD COLUMN sealed_id TEXT;

CREATE INDEX shares_to_hide ON shares (share_id) WHERE sealed_id IS NULL;
