-- What a page that shows the link says besides the file.
ALTER TABLE shares ADD COLUMN title TEXT;
ALTER TABLE shares ADD COLUMN message TEXT;
-- Downloads so far, also of links without a cap. Those of links without a cap from before this version are not known.
ALTER TABLE shares ADD COLUMN downloads INTEGER NOT NULL DEFAULT 0 CHECK (downloads >= 0);
UPDATE shares SET downloads = max_downloads - remaining WHERE max_downloads IS NOT NULL;
