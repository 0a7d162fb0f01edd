import { Argument, type Command } from 'commander';

import type { Account } from '#server/domain/account/account.ts';
import { changeAccount } from '#server/domain/account/change-account.ts';
import { deleteAccount, restoreAccount, resumeAccount, suspendAccount } from '#server/domain/account/close-account.ts';
import { removedFrom } from '#server/domain/account/closed-account.ts';
import type { AuditActor } from '#server/domain/audit/audit-entry.ts';
import type { Plan } from '#server/domain/plan.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { accountView } from '#server/handlers/operator/views/account.ts';
import { parseAccountId, parsePlan, parseQuota } from '../arguments.ts';
import { instant } from '../columns.ts';
import type { Operator, Stores } from '../operator.ts';
import { noAccount, storesText } from './view.ts';

/** The account to change, and who changes it. */
interface Whose {
  readonly accountId: string;
  readonly by: AuditActor;
}

/** A command that changes an account: its use case and its texts. */
interface ChangeCommand<Value extends unknown[]> {
  readonly description: string;
  /** What follows the account's id. */
  readonly value?: Argument;
  readonly change: (stores: Stores, whose: Whose, ...value: Value) => Promise<Account>;
  readonly said: (account: Account) => string;
}

const consequences = 'Its keys answer 403, its public files and links 404.';

/** Adds the commands that change an account, in the order of the help. */
export function addAccountChanges(account: Command, operator: Operator): void {
  const add = <Value extends unknown[]>(
    name: string,
    { description, value, change, said }: ChangeCommand<Value>,
  ): void => {
    const command = account.command(name).description(description).argument('<id>', 'account id', parseAccountId);
    if (value) command.addArgument(value);
    command.action(
      operator.storesAction(async (stores, accountId: string, ...rest: Value) => {
        const after = await onAccount(accountId, change(stores, { accountId, by: operator.actor }, ...rest));
        return { json: accountView(after), text: said(after) };
      }),
    );
  };
  add('set-plan', {
    description: 'change the plan of an account, in force from its next request',
    value: new Argument('<plan>', 'hobby, standard, pro, enterprise or none').argParser(parsePlan),
    change: (stores, whose, plan: Plan) => changeAccount(stores, { ...whose, plan }),
    said: (after) => `Account ${after.id} is on the plan ${after.plan} now. ${storesText(after)}`,
  });
  add('set-quota', {
    description: 'set the quota of an account, in force from its next upload',
    value: new Argument('<bytes>', 'a size such as 500GB, or "none" for the quota of the plan').argParser(parseQuota),
    change: (stores, whose, quotaBytes: number | null) => changeAccount(stores, { ...whose, quotaBytes }),
    said: (after) =>
      `Account ${after.id} has ${after.quotaBytes === null ? 'the quota of its plan' : 'a quota of its own'} now. ` +
      storesText(after),
  });
  add('suspend', {
    description: 'stop an account, from its next request on; nothing is deleted; safe to repeat',
    change: suspendAccount,
    said: ({ id }) => `Account ${id} is suspended. ${consequences}`,
  });
  add('resume', {
    description: 'end the suspension of an account; safe to repeat',
    change: resumeAccount,
    said: ({ id }) => `Account ${id} is not suspended any more.`,
  });
  add('delete', {
    description: 'stop an account, and remove it with all files after 7 days; "restore" brings it back until then',
    change: deleteAccount,
    said: (after) =>
      `Account ${after.id} is deleted. ${consequences} ` +
      `It is removed with all its files from ${instant(removedFrom(after))} on.\n` +
      `Until then this brings it back: cubby account restore ${after.id}`,
  });
  add('restore', {
    description: 'bring back an account that was deleted less than 7 days ago; safe to repeat',
    change: restoreAccount,
    said: ({ id }) => `Account ${id} is not deleted any more.`,
  });
}

/**
 * Runs a use case on an account.
 *
 * @throws {Failure} with the operator's own message if the account does not exist
 */
export async function onAccount<T>(accountId: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'ACCOUNT_NOT_FOUND' ? noAccount(accountId) : error;
  });
}
