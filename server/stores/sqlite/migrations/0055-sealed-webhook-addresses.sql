-- An address may hold a secret of its receiver, so it is stored encrypted under the master key. One from before is stored as it is until the
-- start that applies this migration has sealed it: SQL has no keys. A sealed one has no colon.
ALTER TABLE webhooks RENAME COLUMN url TO sealed_url;

CREATE INDEX webhooks_to_seal ON webhooks (webhook_id) WHERE sealed_url LIKE '%:%';
