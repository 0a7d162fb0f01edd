import { startOfDay } from '#server/domain/account/usage-days.ts';
import type { TokenUsage } from '#server/domain/chat/conversation.ts';
import type { Plan } from '#server/domain/plan.ts';
import { holdReservation } from '#test/support/chat-gateway.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
import type { PairsOf, Provocation } from './provocation.ts';

const dayMs = 86_400_000;
const message = { role: 'user', content: 'What is an ETag?' };

function complete(
  server: TestServer,
  credential: string,
  body: unknown = { messages: [message] },
): Promise<TestAnswer> {
  return server.send('/v2/ai/chat/completions', {
    method: 'POST',
    credential,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

function withBody(body: unknown, plan: Plan = 'enterprise'): Provocation {
  return async ({ server }) => complete(server, (await server.account(plan)).credential, body);
}

const withFields = (fields: object) => withBody({ messages: [message], ...fields });

/** Charges requests to a day, counted from today. */
async function charge(
  { running, clock }: TestServer,
  { id }: TestAccount,
  usages: ReadonlyArray<Partial<TokenUsage>>,
  day = 0,
): Promise<void> {
  const startedAt = clock.now() + day * dayMs - 60_000;
  await running.app.stores.metadata.atomically(async (tx) => {
    for (const usage of usages)
      await tx.chat.charge(
        { accountId: id, day: startOfDay(startedAt), startedAt },
        { inputTokens: 0, outputTokens: 0, ...usage },
      );
  });
}

/** The response to a Standard account with this usage today. */
function afterSpending(...usages: ReadonlyArray<Partial<TokenUsage>>): Provocation {
  return async ({ server }) => {
    const account = await server.account('standard');
    await charge(server, account, usages);
    return complete(server, account.credential);
  };
}

export const createChatCompletion: PairsOf<'createChatCompletion'> = {
  invalid_body: withBody('no JSON'),
  invalid_messages: withBody({ messages: [] }),
  invalid_tools: withFields({ tools: [{ type: 'function', function: { name: 'a b' } }] }),
  invalid_tool_choice: withFields({ tool_choice: 'any' }),
  invalid_temperature: withFields({ temperature: 2.1 }),
  invalid_max_tokens: withFields({ max_tokens: 0 }),
  stream_not_supported: withFields({ stream: true }),
  multimodal_not_supported: withBody({ messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] }),
  context_length_exceeded: withBody({ messages: [{ role: 'user', content: 'word '.repeat(20_000) }] }, 'standard'),
  invalid_request: withBody({ messages: [message, { role: 'tool', tool_call_id: 'call_1', content: '48213' }] }),
  body_too_large: withFields({ padding: ' '.repeat(1_048_576) }),

  access_denied: ({ server }) => complete(server, 'cbk_unknown'),
  upgrade_required: withBody({ messages: [message] }, 'hobby'),
  async missing_scope({ server }) {
    return complete(server, await server.key(await server.account(), { scopes: ['blob:read'] }));
  },

  async concurrent_limit_reached({ server, chatReservations }) {
    const { id: accountId, credential } = await server.account('standard');
    await holdReservation(chatReservations, accountId, server.clock.now());
    return complete(server, credential);
  },
  async rate_limit_exceeded({ server }) {
    const { credential } = await server.account('standard');
    await complete(server, credential);
    return complete(server, credential);
  },
  daily_request_limit_reached: afterSpending(...Array.from({ length: 1000 }, () => ({}))),
  daily_spend_limit_reached: afterSpending({ outputTokens: 750_000 }),
  daily_limit_reached: afterSpending({ inputTokens: 2_500_000 }),
  async weekly_limit_reached({ server }) {
    const account = await server.account('standard');
    // The clock shows a Tuesday.
    await charge(
      server,
      account,
      Array.from({ length: 4 }, () => ({ inputTokens: 2_500_000 })),
      -1,
    );
    return complete(server, account.credential);
  },
  async rate_limited({ limited }) {
    const { credential } = await limited.account('none');
    for (let request = 0; request < 5; request++) await complete(limited, credential);
    return complete(limited, credential);
  },

  async server_overloaded({ modelless }) {
    return complete(modelless, (await modelless.account()).credential);
  },
  async daily_capacity_reached({ modelless }) {
    await charge(modelless, await modelless.account(), [{ inputTokens: 1_000_000 }]);
    return complete(modelless, (await modelless.account()).credential);
  },
  async internal_server_error({ server, faults }) {
    const { credential } = await server.account();
    // By then the key's first use is recorded.
    await complete(server, credential);
    return faults.unexpected('atomically', () => complete(server, credential));
  },
};

/** The codes of all requests that only read. */
function looking(path: string): PairsOf<'listModels'> & PairsOf<'getChatUsage'> {
  return {
    access_denied: ({ server }) => server.send(path, { credential: 'cbk_unknown' }),
    async missing_scope({ server }) {
      return server.send(path, { credential: await server.key(await server.account(), { scopes: ['blob:read'] }) });
    },
    async upgrade_required({ server }) {
      return server.send(path, { credential: (await server.account('hobby')).credential });
    },
    async rate_limited({ limited }) {
      const { credential } = await limited.account('none');
      for (let request = 0; request < 5; request++) await limited.send(path, { credential });
      return limited.send(path, { credential });
    },
    async internal_server_error({ server, faults }) {
      const { credential } = await server.account();
      return faults.unexpected('apiKeys.findWithAccount', () => server.send(path, { credential }));
    },
  };
}

export const listModels = looking('/v2/ai/models');
export const getChatUsage = looking('/v2/ai/usage');
