import type { KeyAiLimits } from '#server/domain/access/key-ai-limits.ts';
import { changeAccount } from '#server/domain/account/change-account.ts';
import { startOfDay } from '#server/domain/account/usage-days.ts';
import type { TokenUsage } from '#server/features/chat/conversation/conversation.ts';
import type { Plan } from '#server/domain/plan.ts';
import { aiDoors, sendTo } from '#test/support/ai-doors.ts';
import { holdReservation } from '#test/support/chat-gateway.ts';
import { someBytes, upload } from '#test/support/files.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
import type { PairsOf, Provocation } from './provocation.ts';

const dayMs = 86_400_000;
const message = { role: 'user', content: 'What is an ETag?' };

type Ask = (server: TestServer, credential: string, body?: unknown) => Promise<TestAnswer>;

function asking(path: string, standard: object): Ask {
  return (server, credential, body = standard) =>
    server.send(path, {
      method: 'POST',
      credential,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
}

const complete = asking('/v2/ai/chat/completions', { messages: [message] });
const respond = asking('/v2/ai/responses', { input: 'What is an ETag?' });
const sendMessage = asking('/v2/ai/messages', { messages: [message] });
const embed = asking('/v2/ai/embeddings', { input: 'What is an ETag?' });

function withBody(ask: Ask, body: unknown, plan: Plan = 'enterprise'): Provocation {
  return async ({ server }) => ask(server, (await server.account(plan)).credential, body);
}

const withFields = (fields: object) => withBody(complete, { messages: [message], ...fields });
const withMessage = (fields: object) => withBody(sendMessage, { messages: [message], ...fields });
const withItems = (fields: object) => withBody(respond, { input: 'a', ...fields });
const withInput = (fields: object) => withBody(embed, { input: 'a', ...fields });

/** The response to a name that no model has. */
function withUnknownModel(ask: Ask, body: object): Provocation {
  return async ({ full }) => ask(full, (await full.account()).credential, { ...body, model: 'another' });
}

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
        { accountId: id, keyId: 'key', model: 'cubic', day: startOfDay(startedAt), startedAt },
        { inputTokens: 0, outputTokens: 0, ...usage },
      );
  });
}

/** The response to a Standard account with this usage today. */
function afterSpending(ask: Ask, ...usages: ReadonlyArray<Partial<TokenUsage>>): Provocation {
  return async ({ server }) => {
    const account = await server.account('standard');
    await charge(server, account, usages);
    return ask(server, account.credential);
  };
}

/** The response to a key with these limits, after as many requests. */
function withKey(ask: Ask, ai: Partial<KeyAiLimits>, requests = 1): Provocation {
  return async ({ server }) => {
    const key = await server.key(await server.account('enterprise'), { scopes: ['ai:chat'], ai });
    for (let request = 0; request < requests; request++) await ask(server, key);
    return ask(server, key);
  };
}

/** The response to an account, or to a key, that may spend less in a day than any request costs. */
function withoutMoney(ask: Ask, whose: 'account' | 'key'): Provocation {
  return async ({ full }) => {
    const account = await full.account('enterprise');
    const nearlyNothing = { costPerDay: 0.000001 };
    if (whose === 'key') return ask(full, await full.key(account, { scopes: ['ai:chat'], ai: nearlyNothing }));
    await changeAccount(full.running.app.stores, { accountId: account.id, aiLimits: nearlyNothing });
    return ask(full, account.credential);
  };
}

/** The codes of all requests with a body, before a model is asked. */
function sent(ask: Ask): PairsOf<'countMessageTokens'> {
  return {
    invalid_body: withBody(ask, 'no JSON'),
    body_too_large: withBody(ask, { padding: ' '.repeat(1_048_576) }),
    access_denied: ({ server }) => ask(server, 'cbk_unknown'),
    upgrade_required: withBody(ask, undefined, 'hobby'),
    async missing_scope({ server }) {
      return ask(server, await server.key(await server.account(), { scopes: ['blob:read'] }));
    },
    model_not_allowed: withKey(ask, { models: ['another'] }, 0),
    async rate_limited({ limited }) {
      const { credential } = await limited.account('none');
      for (let request = 0; request < 5; request++) await ask(limited, credential);
      return ask(limited, credential);
    },
  };
}

/** The codes of all requests that a model answers. */
function asked(
  ask: Ask,
): PairsOf<'createChatCompletion'> &
  PairsOf<'createEmbeddings'> &
  PairsOf<'createResponse'> &
  PairsOf<'createMessage'> {
  return {
    ...sent(ask),
    async concurrent_limit_reached({ server, chatReservations }) {
      const { id: accountId, credential } = await server.account('standard');
      await holdReservation(chatReservations, accountId, server.clock.now());
      return ask(server, credential);
    },
    async rate_limit_exceeded({ server }) {
      const { credential } = await server.account('standard');
      await ask(server, credential);
      return ask(server, credential);
    },
    daily_request_limit_reached: afterSpending(ask, ...Array.from({ length: 1000 }, () => ({}))),
    daily_spend_limit_reached: afterSpending(ask, { outputTokens: 750_000 }),
    daily_limit_reached: afterSpending(ask, { inputTokens: 2_500_000 }),
    async weekly_limit_reached({ server }) {
      const account = await server.account('standard');
      // The clock shows a Tuesday.
      await charge(
        server,
        account,
        Array.from({ length: 4 }, () => ({ inputTokens: 2_500_000 })),
        -1,
      );
      return ask(server, account.credential);
    },
    daily_cost_limit_reached: withoutMoney(ask, 'account'),
    key_daily_cost_limit_reached: withoutMoney(ask, 'key'),
    key_rate_limit_exceeded: withKey(ask, { requestsPerMinute: 1 }),
    key_daily_request_limit_reached: withKey(ask, { requestsPerDay: 1 }),
    key_daily_limit_reached: withKey(ask, { tokensPerDay: 1 }, 0),
    key_daily_spend_limit_reached: withKey(ask, { spendPerDay: 1 }, 0),
    async server_overloaded({ modelless }) {
      return ask(modelless, (await modelless.account()).credential);
    },
    async daily_capacity_reached({ modelless }) {
      await charge(modelless, await modelless.account(), [{ inputTokens: 1_000_000 }]);
      return ask(modelless, (await modelless.account()).credential);
    },
    async internal_server_error({ server, faults }) {
      const { credential } = await server.account();
      // By then the key's first use is recorded.
      await ask(server, credential);
      return faults.unexpected('atomically', () => ask(server, credential));
    },
  };
}

/** The response to a request that names a file of these bytes. */
function withFile(door: keyof typeof aiDoors, bytes: Buffer, plan: Plan = 'enterprise'): Provocation {
  return async ({ server }) => {
    const account = await server.account(plan);
    const file = { bytes, filename: 'a.txt', query: { private: 'true' } };
    const { id } = (await upload(server, account, file)).json().response;
    return sendTo(server, aiDoors[door]!, account.credential, aiDoors[door]!.body('a', [id]));
  };
}

/** The codes of all requests that may name files. */
const ofFiles = (door: keyof typeof aiDoors) => ({
  file_not_found: withBody(asking(aiDoors[door]!.path, {}), aiDoors[door]!.body('a', ['file-abc123'])),
  file_not_text: withFile(door, someBytes()),
});

export const createChatCompletion: PairsOf<'createChatCompletion'> = {
  ...asked(complete),
  ...ofFiles('chats'),
  model_not_found: withUnknownModel(complete, { messages: [message] }),
  invalid_messages: withFields({ messages: [] }),
  invalid_tools: withFields({ tools: [{ type: 'function', function: { name: 'a b' } }] }),
  invalid_tool_choice: withFields({ tool_choice: 'any' }),
  invalid_temperature: withFields({ temperature: 2.1 }),
  invalid_max_tokens: withFields({ max_tokens: 0 }),
  stream_not_supported: withFields({ stream: true }),
  multimodal_not_supported: withFields({ messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] }),
  context_length_exceeded: withBody(
    complete,
    { messages: [{ role: 'user', content: 'word '.repeat(20_000) }] },
    'standard',
  ),
  invalid_request: withFields({ messages: [message, { role: 'tool', tool_call_id: 'call_1', content: '48213' }] }),
};

export const createEmbeddings: PairsOf<'createEmbeddings'> = {
  ...asked(embed),
  invalid_input: withInput({ input: [] }),
  // That server has no model for embeddings.
  async embeddings_not_supported({ limited }) {
    return embed(limited, (await limited.account()).credential);
  },
  context_length_exceeded: withBody(embed, { input: 'word '.repeat(20_000) }, 'standard'),
  server_overloaded: withInput({ input: 'broken' }),
  invalid_request: withInput({ input: 'refused', dimensions: 16_384 }),
};

export const createResponse: PairsOf<'createResponse'> = {
  ...asked(respond),
  ...ofFiles('Open Responses'),
  model_not_found: withUnknownModel(respond, { input: 'a' }),
  async server_overloaded({ modelless }) {
    // Other operations have spent the capacity of the day.
    modelless.clock.advance(dayMs);
    return respond(modelless, (await modelless.account()).credential);
  },
  // That server does not take this form.
  async responses_not_supported({ limited }) {
    return respond(limited, (await limited.account()).credential);
  },
  invalid_input: withItems({ input: [] }),
  invalid_tools: withItems({ tools: [{ type: 'function' }] }),
  invalid_tool_choice: withItems({ tool_choice: 'any' }),
  invalid_temperature: withItems({ temperature: 2.1 }),
  invalid_max_tokens: withItems({ max_output_tokens: 0 }),
  multimodal_not_supported: withItems({ input: [{ role: 'user', content: [{ type: 'input_image' }] }] }),
  context_length_exceeded: withBody(respond, { input: 'word '.repeat(20_000) }, 'standard'),
  invalid_request: withItems({ input: [{ type: 'function_call_output', call_id: 'call_1', output: '48213' }] }),
};

export const createMessage: PairsOf<'createMessage'> = {
  ...asked(sendMessage),
  ...ofFiles('the Messages API'),
  model_not_found: withUnknownModel(sendMessage, { messages: [message] }),
  async server_overloaded({ modelless }) {
    // Other operations have spent the capacity of the day.
    modelless.clock.advance(dayMs);
    return sendMessage(modelless, (await modelless.account()).credential);
  },
  // That server does not take this form.
  async messages_not_supported({ limited }) {
    return sendMessage(limited, (await limited.account()).credential);
  },
  invalid_tools: withMessage({ tools: [{ type: 'custom' }] }),
  invalid_tool_choice: withMessage({ tool_choice: { type: 'any' } }),
  invalid_temperature: withMessage({ temperature: 2.1 }),
  invalid_max_tokens: withMessage({ max_tokens: 0 }),
  multimodal_not_supported: withMessage({ messages: [{ role: 'user', content: [{ type: 'image' }] }] }),
  context_length_exceeded: withBody(
    sendMessage,
    { messages: [{ role: 'user', content: 'word '.repeat(20_000) }] },
    'standard',
  ),
  invalid_request: withMessage({
    messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: '48213' }] }],
  }),
};

const count = asking('/v2/ai/messages/count_tokens', { messages: [message] });
const withCounted = (fields: object) => withBody(count, { messages: [message], ...fields });

export const countMessageTokens: PairsOf<'countMessageTokens'> = {
  ...sent(count),
  ...ofFiles('a count of tokens'),
  // The window of this plan is 16,384 tokens, which have at most 2 MiB.
  context_length_exceeded: withFile('a count of tokens', Buffer.alloc(2_097_153, 'a'), 'standard'),
  async internal_server_error({ server, faults }) {
    const { credential } = await server.account();
    return faults.unexpected('apiKeys.findWithAccount', () => count(server, credential));
  },
  model_not_found: withUnknownModel(count, { messages: [message] }),
  // That server does not take this form.
  async messages_not_supported({ limited }) {
    return count(limited, (await limited.account()).credential);
  },
  async concurrent_limit_reached({ server }) {
    const { credential } = await server.account();
    // Each takes much longer to count than to arrive.
    const body = { messages: [{ role: 'user', content: 'word '.repeat(200_000) }] };
    const answers = await Promise.all(Array.from({ length: 16 }, () => count(server, credential, body)));
    return answers.find(({ status }) => status === 429) ?? answers[0]!;
  },
  invalid_tools: withCounted({ tools: [{ type: 'custom' }] }),
  invalid_tool_choice: withCounted({ tool_choice: { type: 'any' } }),
  invalid_temperature: withCounted({ temperature: 2.1 }),
  invalid_max_tokens: withCounted({ max_tokens: 0 }),
  multimodal_not_supported: withCounted({ messages: [{ role: 'user', content: [{ type: 'image' }] }] }),
};

/** The codes of all requests that only read. */
function looking(
  path: string,
): PairsOf<'listModels'> & PairsOf<'getChatUsage'> & Omit<PairsOf<'getModel'>, 'model_not_found'> {
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
export const getChatUsageHistory: PairsOf<'getChatUsageHistory'> = {
  ...looking('/v2/ai/usage/history'),
  async invalid_query({ server }) {
    return server.send('/v2/ai/usage/history?group_by=hour', { credential: (await server.account()).credential });
  },
};
export const listAiRequests: PairsOf<'listAiRequests'> = {
  ...looking('/v2/ai/requests'),
  async invalid_query({ server }) {
    return server.send('/v2/ai/requests?limit=101', { credential: (await server.account()).credential });
  },
};
export const getModel: PairsOf<'getModel'> = {
  ...looking('/v2/ai/models/cubic'),
  async model_not_found({ server }) {
    return server.send('/v2/ai/models/another', { credential: (await server.account()).credential });
  },
};
