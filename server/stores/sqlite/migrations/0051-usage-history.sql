-- Files times milliseconds, in decimal. NULL for days whose number of files was not measured from the beginning.
ALTER TABLE usage_days ADD COLUMN object_ms TEXT;
