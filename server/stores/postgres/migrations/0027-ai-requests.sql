-- oldest server: 8
-- Requests to models, without their contents. Only if the operator keeps them.
CREATE TABLE ai_requests (
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts,
  at BIGINT NOT NULL,
  row_id TEXT COLLATE "C" NOT NULL,
  request_id TEXT COLLATE "C" NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL,
  model TEXT COLLATE "C" NOT NULL,
  operation TEXT COLLATE "C" NOT NULL CHECK (operation IN ('chat', 'responses', 'messages', 'embeddings')),
  is_streamed BIGINT NOT NULL,
  outcome TEXT COLLATE "C" NOT NULL,
  input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  is_cached BIGINT NOT NULL,
  duration_ms BIGINT NOT NULL,
  first_token_ms BIGINT,
  attempts BIGINT NOT NULL,
  PRIMARY KEY (account_id, at, row_id)
);

CREATE INDEX ai_requests_by_age ON ai_requests (at);
