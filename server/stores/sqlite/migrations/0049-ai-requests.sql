-- Requests to models, without their contents. Only if the operator keeps them.
CREATE TABLE ai_requests (
  account_id TEXT NOT NULL REFERENCES accounts,
  at INTEGER NOT NULL,
  row_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  operation TEXT NOT NULL CHECK (operation IN ('chat', 'responses', 'messages', 'embeddings')),
  is_streamed INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  is_cached INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  first_token_ms INTEGER,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (account_id, at, row_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX ai_requests_by_age ON ai_requests (at);
