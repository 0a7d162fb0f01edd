-- Budgets of the AI gateway that were reached, so that each is told once in its period. A raised limit is another one.
CREATE TABLE chat_reached_budgets (
  account_id TEXT NOT NULL REFERENCES accounts,
  budget TEXT NOT NULL CHECK (budget IN ('daily_spend', 'daily_tokens', 'weekly_tokens')),
  starts_at INTEGER NOT NULL,
  token_limit INTEGER NOT NULL,
  PRIMARY KEY (account_id, budget, starts_at, token_limit)
) STRICT, WITHOUT ROWID;

CREATE INDEX chat_reached_budgets_by_age ON chat_reached_budgets (starts_at);
