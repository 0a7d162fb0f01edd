import type { Command } from 'commander';

import type { Account } from '#server/domain/account/account.ts';
import { deleteAccount, restoreAccount, resumeAccount, suspendAccount } from '#server/domain/account/close-account.ts';
import { removedFrom } from '#server/domain/account/closed-account.ts';
import { accountView } from '#server/handlers/operator/views/account.ts';
import { parseAccountId } from '../arguments.ts';
import { instant } from '../columns.ts';
import type { Operator } from '../operator.ts';
import { onAccount } from './change.ts';

const consequences = 'Its keys answer 403, its public files and links 404.';

/** The commands that stop an account or let it go on, each with its use case and its texts. */
const commands = {
  suspend: {
    change: suspendAccount,
    description: 'stop an account, from its next request on; nothing is deleted; safe to repeat',
    said: ({ id }: Account) => `Account ${id} is suspended. ${consequences}`,
  },
  resume: {
    change: resumeAccount,
    description: 'end the suspension of an account; safe to repeat',
    said: ({ id }: Account) => `Account ${id} is not suspended any more.`,
  },
  delete: {
    change: deleteAccount,
    description: 'stop an account, and remove it with all files after 7 days; "restore" brings it back until then',
    said: (account: Account) =>
      `Account ${account.id} is deleted. ${consequences} ` +
      `It is removed with all its files from ${instant(removedFrom(account))} on.\n` +
      `Until then this brings it back: cubby account restore ${account.id}`,
  },
  restore: {
    change: restoreAccount,
    description: 'bring back an account that was deleted less than 7 days ago; safe to repeat',
    said: ({ id }: Account) => `Account ${id} is not deleted any more.`,
  },
} as const;

export function addAccountClosing(account: Command, operator: Operator): void {
  for (const [name, { change, description, said }] of Object.entries(commands))
    account
      .command(name)
      .description(description)
      .argument('<id>', 'account id', parseAccountId)
      .action(
        operator.storesAction(async (stores, accountId: string) => {
          const after = await onAccount(accountId, change(stores, { accountId, by: operator.actor }));
          return { json: accountView(after), text: said(after) };
        }),
      );
}
