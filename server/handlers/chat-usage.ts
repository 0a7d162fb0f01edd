import type { ChatHandlers } from '#generated/router.ts';
import type { ChatUsage as WireUsage } from '#generated/types.ts';
import { chatUsage, type ChatWindow, type ChatWindows } from '#server/domain/chat/chat-usage.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Call } from './call.ts';
import { chatLimitsOf } from './chat-limits.ts';
import { timestamp } from './wire.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly clock: Clock;
}

/**
 * 1 January 2026, in seconds: the list form of chat clients wants a date, and the model behind the name is not ours to
 * date.
 */
const modelCreated = 1_767_225_600;

/** Wire ⇄ domain for what the AI gateway offers, and what is spent of its limits. */
export function chatUsageHandlers(deps: Deps): Pick<ChatHandlers<Call>, 'getChatUsage' | 'listModels'> {
  return {
    async listModels() {
      return {
        status: 200,
        body: { object: 'list', data: [{ id: 'cubic', object: 'model', created: modelCreated, owned_by: 'cubby' }] },
      };
    },

    async getChatUsage(_input, { caller: { account } }) {
      const { requests, tokens, spend } = await chatUsage(deps, account, chatLimitsOf(account.plan));
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
