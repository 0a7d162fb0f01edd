import type { OperatorHandlers } from '#generated/router.ts';
import { requireAccount } from '#server/domain/account/change-account.ts';
import type { Call } from '#server/handlers/call.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { success } from '#server/handlers/wire.ts';
import { chatHistory } from '../usage/chat-history.ts';
import { usageQueryOf, wireHistory } from './usage-history.ts';

interface Deps extends Pick<CorePorts, 'metadata' | 'clock'> {
  /** Returns the currency of costs now; undefined when the operator has named none. */
  currency(): string | undefined;
}

/** Returns the handler of the charges of an account, for operators. */
export function chatOperatorHandlers(deps: Deps) {
  return {
    async getAccountAiUsage({ path, query }) {
      const wanted = usageQueryOf(query, deps.clock.now(), 'INVALID_TIME_RANGE', 'INVALID_GROUP_BY');
      const { id } = await requireAccount(deps.metadata.read, path.account_id);
      return success(wireHistory(wanted, await chatHistory(deps, id, wanted), deps.currency()));
    },
  } satisfies Partial<OperatorHandlers<Call>>;
}
