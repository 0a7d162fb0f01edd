import type { OperatorAccount } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';

const tones = { active: 'good', suspended: 'bad', deleted: 'bad' } as const;

export function AccountState({ account: { state } }: { readonly account: Pick<OperatorAccount, 'state'> }) {
  return <span class={`badge ${tones[state]}`}>{messages().accounts.states[state]}</span>;
}
