-- The triggers of 0011, which now do nothing for a file without active links. Most files have none.
DROP TRIGGER shares_lose_deleted_file;
DROP TRIGGER shares_lose_replaced_file;

CREATE TRIGGER shares_lose_deleted_file AFTER DELETE ON objects
WHEN EXISTS (
  SELECT 1 FROM shares
  WHERE account_id = OLD.account_id AND space = OLD.space AND key = OLD.key AND revoked_at IS NULL AND is_gone = 0 AND remaining IS NOT 0)
BEGIN
  UPDATE shares SET is_gone = 1 WHERE share_id IN (
    SELECT share_id FROM shares
    WHERE account_id = OLD.account_id AND space = OLD.space AND key = OLD.key AND revoked_at IS NULL AND is_gone = 0 AND remaining IS NOT 0
    ORDER BY expires_at DESC LIMIT 1000);
END;

CREATE TRIGGER shares_lose_replaced_file AFTER INSERT ON objects
WHEN EXISTS (
  SELECT 1 FROM shares
  WHERE account_id = NEW.account_id AND space = NEW.space AND key = NEW.key AND revoked_at IS NULL AND is_gone = 0 AND remaining IS NOT 0)
BEGIN
  UPDATE shares SET is_gone = 1 WHERE share_id IN (
    SELECT share_id FROM shares
    WHERE account_id = NEW.account_id AND space = NEW.space AND key = NEW.key AND revoked_at IS NULL AND is_gone = 0 AND remaining IS NOT 0
    ORDER BY expires_at DESC LIMIT 1000) AND incarnation <> NEW.incarnation;
END;
