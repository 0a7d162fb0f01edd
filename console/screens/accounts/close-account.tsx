import {
  deleteAccount,
  restoreAccount,
  resumeAccount,
  suspendAccount,
  type OperatorAccount,
} from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { confirm } from '../../ui/confirm.tsx';

type Close = 'suspend' | 'resume' | 'delete' | 'restore';

const calls = { suspend: suspendAccount, resume: resumeAccount, delete: deleteAccount, restore: restoreAccount };

/** Asks, and suspends, resumes, deletes or restores an account. Resolves to it as it is then. */
export async function closeAccount(account: OperatorAccount, how: Close): Promise<OperatorAccount | undefined> {
  const text = messages().accounts;
  let changed: OperatorAccount | undefined;
  await confirm({
    title: text.closing[how].title(account.name),
    text: (
      <>
        <p>{text.closing[how].text}</p>
        {how === 'delete' && (
          <p>
            <strong>{text.lost(formatNumber(account.used_objects), formatSize(account.used_bytes))}</strong>
          </p>
        )}
      </>
    ),
    action: text.closing[how].action,
    isDangerous: how === 'suspend' || how === 'delete',
    run: async () => {
      changed = await ask(calls[how]({ path: { account_id: account.account_id } }));
    },
  });
  return changed;
}
