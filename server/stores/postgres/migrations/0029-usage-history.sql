-- oldest server: 8
-- Files times milliseconds, in decimal. NULL for days whose number of files was not measured from the beginning.
ALTER TABLE usage_days ADD COLUMN IF NOT EXISTS object_ms TEXT;
