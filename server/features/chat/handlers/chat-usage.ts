import type { ChatHandlers } from '#generated/router.ts';
import type { ChatCostWindow, ChatKeyUsage, ChatUsage as WireUsage } from '#generated/types.ts';
import type { ApiKey } from '#server/domain/access/api-key.ts';
import { everyScope } from '#server/domain/access/scope.ts';
import { amountOfCost } from '#server/domain/money.ts';
import type { Call } from '#server/handlers/call.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { timestamp } from '#server/handlers/wire.ts';
import { parsing } from '#server/http/operation.ts';
import { chatHistory } from '../usage/chat-history.ts';
import { chatUsage, type ChatWindow, type ChatWindows, type KeyUsage } from '../usage/chat-usage.ts';
import { aiRequestPage } from './ai-requests.ts';
import { quotaOf, type AiLimitsOfPlans } from './chat-quotas.ts';
import { usageQueryOf, wireHistory } from './usage-history.ts';
import { wireLimits } from './wire-limits.ts';

export interface UsageDeps extends Pick<CorePorts, 'metadata' | 'secrets' | 'clock'> {
  /** Returns the currency of costs now; undefined when the operator has named none. */
  currency(): string | undefined;
  limitsOfPlans(): AiLimitsOfPlans;
  /** For how many days requests are recorded; 0: they are not. */
  readonly requestLogDays: number;
}

type UsageHandlers = Pick<ChatHandlers<Call>, 'listAiRequests' | 'getChatUsage' | 'getChatUsageHistory'>;

/** Returns the handlers that show an account what it has used. */
export function usageHandlers(deps: UsageDeps): UsageHandlers {
  return {
    async listAiRequests({ query }, { caller: { account, key } }) {
      return {
        status: 200,
        body: await aiRequestPage(deps, account, query, seesAll(key) ? undefined : key.id),
      };
    },

    async getChatUsage(_input, { caller: { account, key } }) {
      const quota = quotaOf(account, deps.limitsOfPlans());
      const { requests, tokens, spend, cost, ofKey } = await chatUsage(deps, account, quota, key);
      const currency = deps.currency();
      return {
        status: 200,
        body: {
          requests: wireUsage(requests),
          tokens: wireUsage(tokens),
          spend: wireUsage(spend),
          cost: wireCost(cost),
          ...(currency !== undefined && { currency }),
          limits: wireLimits(account, deps.limitsOfPlans()),
          ...(ofKey && { key: wireKeyUsage(ofKey) }),
        },
      };
    },

    getChatUsageHistory: parsing(
      ({ query }) => usageQueryOf(query, deps.clock.now(), 'invalid_query', 'invalid_query'),
      async (query, { caller: { account, key } }) => {
        const wanted = seesAll(key) ? query : { ...query, keyId: key.id };
        return { status: 200, body: wireHistory(query, await chatHistory(deps, account.id, wanted), deps.currency()) };
      },
    ),
  };
}

/** Whether a key sees the requests and the usage of other keys. */
function seesAll({ scopes }: Pick<ApiKey, 'scopes'>): boolean {
  return scopes.includes(everyScope) || scopes.includes('account:read');
}

function wireUsage({ today, week }: ChatWindows): WireUsage {
  return { today: wireWindow(today), week: wireWindow(week) };
}

function wireWindow({ used, limit, resetsAt }: ChatWindow): WireUsage['today'] {
  return { used, limit, resets_at: timestamp(resetsAt) };
}

function wireCost({ used, limit, resetsAt }: ChatWindow): ChatCostWindow {
  return {
    used: amountOfCost(used),
    limit: limit === null ? null : amountOfCost(limit),
    resets_at: timestamp(resetsAt),
  };
}

function wireKeyUsage({ requests, tokens, spend, cost, minute, models }: KeyUsage): ChatKeyUsage {
  return {
    requests: wireWindow(requests),
    tokens: wireWindow(tokens),
    spend: wireWindow(spend),
    cost: wireCost(cost),
    minute: wireWindow(minute),
    ...(models && { models: [...models] }),
  };
}
