-- A spent download keeps one number, the bytes that its client may still fetch, in place of the runs of bytes that it has covered.
ALTER TABLE share_downloads RENAME TO share_downloads_by_pieces;

CREATE TABLE share_downloads (
  download_id TEXT PRIMARY KEY,
  share_id TEXT NOT NULL REFERENCES shares ON UPDATE CASCADE ON DELETE CASCADE,
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  content_id TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  -- When bytes were last taken: a slow answer takes some for as long as it runs.
  used_at INTEGER NOT NULL,
  left_bytes INTEGER NOT NULL CHECK (left_bytes >= 0)
) STRICT, WITHOUT ROWID;

-- Downloads under way can still be resumed after the upgrade. The allowance is that of server/domain/shares/allowance.ts.
INSERT INTO share_downloads (download_id, share_id, address, user_agent, content_id, opened_at, used_at, left_bytes)
SELECT download_id, share_id, address, user_agent, content_id, spent_at, spent_at, max(0, size_bytes + min(size_bytes, 16777216) - resent_bytes
  - (SELECT coalesce(sum(value ->> 'end' - value ->> 'start'), 0) FROM json_each(pieces)))
FROM share_downloads_by_pieces JOIN contents USING (content_id);

DROP TABLE share_downloads_by_pieces;

CREATE INDEX share_downloads_by_client ON share_downloads (share_id, address, opened_at);
CREATE INDEX share_downloads_by_use ON share_downloads (used_at);
