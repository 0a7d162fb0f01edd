import type { ChatHandlers } from '#generated/router.ts';
import type { ChatUsage as WireUsage } from '#generated/types.ts';
import { chatUsage, type ChatWindow, type ChatWindows } from '#server/domain/chat/chat-usage.ts';
import type { Call } from './call.ts';
import { chatQuotaOf } from './chat-quota.ts';
import type { Ports } from './ports.ts';
import { timestamp } from './wire.ts';

/**
 * 1 January 2026, in seconds. The lists of chat clients need a date, and nobody knows that of the model behind the
 * name.
 */
const modelCreated = 1_767_225_600;

/** The models of the AI gateway, and the usage of its limits. */
export function chatUsageHandlers(
  deps: Pick<Ports, 'metadata' | 'clock'>,
): Pick<ChatHandlers<Call>, 'getChatUsage' | 'listModels'> {
  return {
    async listModels() {
      return {
        status: 200,
        body: { object: 'list', data: [{ id: 'cubic', object: 'model', created: modelCreated, owned_by: 'cubby' }] },
      };
    },

    async getChatUsage(_input, { caller: { account } }) {
      const { requests, tokens, spend } = await chatUsage(deps, account, chatQuotaOf(account.plan));
      return {
        status: 200,
        body: { requests: wireUsage(requests), tokens: wireUsage(tokens), spend: wireUsage(spend) },
      };
    },
  };
}

function wireUsage({ today, week }: ChatWindows): WireUsage {
  return { today: wireWindow(today), week: wireWindow(week) };
}

function wireWindow({ used, limit, resetsAt }: ChatWindow): WireUsage['today'] {
  return { used, limit, resets_at: timestamp(resetsAt) };
}
