import type { ChatAccountLimits } from '#generated/types.ts';
import type { Account } from '#server/domain/account/account.ts';
import { itemLimitsOf, quotaOf, type AiLimitsOfPlans } from './chat-quotas.ts';

/** Returns the limits of a request of an account, as clients see them. */
export function wireLimits(account: Pick<Account, 'plan' | 'aiLimits'>, ofPlans: AiLimitsOfPlans): ChatAccountLimits {
  const quota = quotaOf(account, ofPlans);
  const agents = itemLimitsOf('createMessage', account, ofPlans);
  const chat = itemLimitsOf('createChatCompletion', account, ofPlans);
  return {
    context_tokens: quota.contextTokens,
    output_tokens: quota.outputTokens,
    concurrent: quota.concurrent,
    pacing_seconds: quota.pacingSeconds,
    tools: agents.tools,
    messages: agents.messages,
    chat_tools: chat.tools,
    chat_messages: chat.messages,
  };
}
