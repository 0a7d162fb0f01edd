import type { Account } from '#server/domain/account/account.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { MessagesRequest, MessagesTokens } from '#generated/types.ts';
import { stopSignal } from '../../stop-signal.ts';
import { countInputTokens } from '../../tokens/count-tokens.ts';
import type { CountsAtOnce } from '../../tokens/counts-at-once.ts';
import { messagesConversation } from './request.ts';

interface Deps {
  readonly counts: CountsAtOnce;
  /** The longest time for a count. */
  readonly deadlineMs: number;
}

/**
 * Counts the tokens of a request in the form of the Messages API, as they are compared with the context window. The
 * body is limited, so the count is not.
 *
 * @throws invalid_body, multimodal_not_supported, invalid_tools, invalid_tool_choice, concurrent_limit_reached
 * @throws server_overloaded when it takes too long
 */
export async function countedTokens(
  { counts, deadlineMs }: Deps,
  body: MessagesRequest,
  { id }: Pick<Account, 'id'>,
  client: AbortSignal,
) {
  const { turn, leftOut } = messagesConversation(body);
  const tokens = await counts.run(id, async () => {
    const { signal, done } = stopSignal(client, deadlineMs);
    try {
      return await countInputTokens(turn, { limitTokens: Infinity, accountId: id, signal });
    } catch (error) {
      if (client.aborted || error !== signal.reason) throw error;
      throw new Refusal('server_overloaded');
    } finally {
      done();
    }
  });
  const counted: MessagesTokens = { input_tokens: tokens };
  return { counted, leftOut };
}
