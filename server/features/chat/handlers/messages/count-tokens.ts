import type { Account } from '#server/domain/account/account.ts';
import type { MessagesRequest, MessagesTokens } from '#generated/types.ts';
import { countInputTokens } from '../../tokens/count-tokens.ts';
import { messagesConversation } from './request.ts';

/**
 * Counts the tokens of a request in the form of the Messages API, as they are compared with the context window. The
 * body is limited, so the count is not.
 *
 * @throws invalid_body, multimodal_not_supported, invalid_tools, invalid_tool_choice
 */
export async function countedTokens(body: MessagesRequest, { id }: Pick<Account, 'id'>, signal: AbortSignal) {
  const { turn, leftOut } = messagesConversation(body);
  const tokens = await countInputTokens(turn, { limitTokens: Infinity, accountId: id, signal });
  const counted: MessagesTokens = { input_tokens: tokens };
  return { counted, leftOut };
}
