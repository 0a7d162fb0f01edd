import type { MessagesTokens } from '#generated/types.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { stopSignal } from '../../stop-signal.ts';
import { countInputTokens } from '../../tokens/count-tokens.ts';
import type { CountsAtOnce } from '../../tokens/counts-at-once.ts';
import type { Conversation } from '../chat-answer.ts';

interface Deps {
  readonly counts: CountsAtOnce;
  /** The longest time for a count. */
  readonly deadlineMs: number;
}

/** The account that counts. */
interface Counter {
  readonly id: string;
  /** Its context window. */
  readonly contextTokens: number;
}

/**
 * Counts the tokens of a request in the form of the Messages API, as they are compared with the context window. The
 * body and its files are limited, so the count is not.
 *
 * @throws concurrent_limit_reached, and the errors of reading its files
 * @throws server_overloaded when it takes too long
 */
export async function countedTokens(
  { counts, deadlineMs }: Deps,
  { turn, readFiles }: Pick<Conversation, 'turn' | 'readFiles'>,
  { id, contextTokens }: Counter,
  client: AbortSignal,
): Promise<MessagesTokens> {
  const tokens = await counts.run(id, async () => {
    const { signal, done } = stopSignal(client, deadlineMs);
    try {
      const whole = readFiles ? await readFiles(contextTokens, signal) : turn;
      return await countInputTokens(whole, { limitTokens: Infinity, accountId: id, signal });
    } catch (error) {
      if (client.aborted || error !== signal.reason) throw error;
      throw new Refusal('server_overloaded');
    } finally {
      done();
    }
  });
  return { input_tokens: tokens };
}
