import type { CreatedKey } from '#server/domain/access/create-key.ts';
import { wireAccountAiLimits } from '#server/domain/account/account-ai-limits.ts';
import type { Account } from '#server/domain/account/account.ts';
import { removedFrom } from '#server/domain/account/closed-account.ts';
import { quotaBytesOf, type Plan } from '#server/domain/plan.ts';
import { timestamp, timestampOrNull } from '../../wire.ts';

/** Returns an account as the operator's API and `--json` show it. */
export function accountView(account: Account) {
  return {
    account_id: account.id,
    name: account.name,
    plan: account.plan,
    state: stateOf(account),
    created_at: timestamp(account.createdAt),
    /** The quota in force: the account's own, or its plan's. */
    quota_bytes: quotaBytesOf(account),
    own_quota_bytes: account.quotaBytes,
    /** Tokens a day of the AI gateway. Null: the plan's budget applies. */
    own_ai_budget: account.aiTokensPerDay,
    /** Null: the limits of the plan apply. */
    own_ai_limits: wireAccountAiLimits(account.aiLimits),
    used_bytes: account.usedBytes,
    used_objects: account.usedObjects,
    suspended_at: timestampOrNull(account.suspendedAt),
    deleted_at: timestampOrNull(account.deletedAt),
    removed_from: timestampOrNull(removedFrom(account)),
  };
}

/** Returns the state of an account in one word. */
export function stateOf({ suspendedAt, deletedAt }: Account): 'active' | 'suspended' | 'deleted' {
  if (deletedAt !== null) return 'deleted';
  return suspendedAt === null ? 'active' : 'suspended';
}

interface NewAccount extends CreatedKey {
  readonly accountId: string;
  readonly name: string;
  readonly plan: Plan;
}

/** Returns a new account, with its key. */
export function newAccountView({ accountId, name, plan, key, credential }: NewAccount) {
  return { account_id: accountId, name, plan, key_id: key.id, api_key: credential };
}
