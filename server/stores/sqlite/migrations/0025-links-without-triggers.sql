-- The statements that write and remove files do this now: see server/stores/tables/links-of-file.ts.
DROP TRIGGER shares_lose_deleted_file;
DROP TRIGGER shares_lose_replaced_file;

-- A change of a file's headers wrote its row anew, and the triggers then took the file for gone.
UPDATE shares SET is_gone = 0 WHERE is_gone = 1 AND EXISTS (
  SELECT 1 FROM objects
  WHERE objects.account_id = shares.account_id AND objects.space = shares.space AND objects.key = shares.key AND objects.incarnation = shares.incarnation);
