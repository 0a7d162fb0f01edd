import type { Actor } from '../activity/activity.ts';
import type { Plan } from '../plan.ts';
import type { Transaction } from '../ports/metadata.ts';

/** A new value in the settings of an account, which a feature has parsed. */
export interface SettingsChange {
  /** Checks what the account may have. It needs no stored data. @throws the feature's refusals */
  check(plan: Plan): void;
  /** Replaces the value, and records it. */
  replace(tx: Transaction, accountId: string, actor: Actor): Promise<void>;
}
