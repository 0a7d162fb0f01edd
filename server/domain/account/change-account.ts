import { serverActor, type AuditAction, type AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Plan } from '../plan.ts';
import type { Writes } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { changedAccountAiLimits, wireAccountAiLimits, type AiLimits } from './account-ai-limits.ts';
import type { Account } from './account.ts';
import type { AccountsReader } from './table.ts';

/** The largest quota: the largest whole number that both the database and JavaScript store exactly (2^53 − 1). */
export const maxQuotaBytes = Number.MAX_SAFE_INTEGER;

interface ChangeAccount {
  readonly accountId: string;
  /** In force from the next request on. Stored files stay, even if the new plan includes less. */
  readonly plan?: Plan;
  /** Its own quota in bytes, from the next upload on. Null restores the quota of its plan. Files beyond it stay. */
  readonly quotaBytes?: number | null;
  /**
   * Its own AI budget in tokens a day, for Enterprise. A week allows four times that. Null restores the budget of its
   * plan. The budget stays while the account is on another plan, and applies again when it returns to Enterprise.
   */
  readonly aiTokensPerDay?: number | null;
  /** Its own limits in the AI gateway. Null restores that of the plan: for one limit, or in place of all. */
  readonly aiLimits?: Partial<AiLimits> | null;
  readonly by?: AuditActor;
}

type Tables = 'accounts' | 'audit';

/**
 * Changes what an account may do. Fields that are left out stay.
 *
 * @returns the account afterwards
 * @throws ACCOUNT_NOT_FOUND
 * @throws UPGRADE_REQUIRED, with nothing stored, for an AI budget of an account that is not on Enterprise
 */
export function changeAccount(
  { metadata }: { readonly metadata: Writes<Tables> },
  { accountId, plan, quotaBytes, aiTokensPerDay, aiLimits, by = serverActor }: ChangeAccount,
): Promise<Account> {
  return metadata.atomically(
    async (tx) => {
      const before = await requireAccount(tx, accountId);
      if (aiTokensPerDay !== undefined && aiTokensPerDay !== null && (plan ?? before.plan) !== 'enterprise')
        throw new Refusal('UPGRADE_REQUIRED', {
          message: 'Only an account on the plan enterprise has its own AI budget. Change the plan first.',
        });
      if (plan !== undefined) await tx.accounts.setPlan(accountId, plan);
      if (quotaBytes !== undefined) await tx.accounts.setQuota(accountId, quotaBytes);
      if (aiTokensPerDay !== undefined) await tx.accounts.setAiBudget(accountId, aiTokensPerDay);
      if (aiLimits !== undefined)
        await tx.accounts.setAiLimits(accountId, changedAccountAiLimits(before.aiLimits, aiLimits));
      const after = await requireAccount(tx, accountId);
      for (const change of changesOf(before, after))
        await recordAudit(tx, { ...change, by, accountId, subject: accountId });
      return after;
    },
    { account: accountId },
  );
}

/** Returns what the audit log says about each changed field. */
function changesOf(before: Account, after: Account) {
  const fields: ReadonlyArray<readonly [AuditAction, keyof Account]> = [
    ['account.plan_changed', 'plan'],
    ['account.quota_changed', 'quotaBytes'],
    ['account.ai_budget_changed', 'aiTokensPerDay'],
  ];
  const changes = fields
    .filter(([, field]) => before[field] !== after[field])
    .map(([action, field]) => ({ action, details: { from: before[field], to: after[field] } }));
  const limits = { from: wireAccountAiLimits(before.aiLimits), to: wireAccountAiLimits(after.aiLimits) };
  if (JSON.stringify(limits.from) === JSON.stringify(limits.to)) return changes;
  return [...changes, { action: 'account.ai_limits_changed' as const, details: limits }];
}

/** @throws ACCOUNT_NOT_FOUND */
export async function requireAccount(
  tx: { readonly accounts: Pick<AccountsReader, 'find'> },
  accountId: string,
): Promise<Account> {
  const account = await tx.accounts.find(accountId);
  if (!account) throw new Refusal('ACCOUNT_NOT_FOUND');
  return account;
}
