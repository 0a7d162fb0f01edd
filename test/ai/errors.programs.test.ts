import { join } from 'node:path';

import { ContextOverflowError } from '@langchain/core/errors';
import { APICallError, generateText } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { codesOfOperation } from '#generated/errors.ts';
import type { ChatReservations } from '#server/features/chat/reservations/chat-reservations.ts';
import type { BodyMemory } from '#server/http/body-memory.ts';
import { MemoryChatReservations } from '#server/features/chat/stores/memory/chat-reservations.ts';
import type { PairContext } from '#test/contract/code-pairs/provocation.ts';
import { pairs } from '#test/contract/code-pairs/registry.ts';
import { StoreFaults } from '#test/contract/code-pairs/store-faults.ts';
import { describeWith } from '#test/support/describe-with.ts';
import { startTestServer, type TestAnswer } from '#test/support/server.ts';
import { aiSdkModel, langChainModel, openAiClient, type ClientOptions } from './clients.ts';

const describe = describeWith('@ai-sdk/openai-compatible', '@langchain/core', '@langchain/openai', 'ai', 'openai');

const rejecting = join(import.meta.dirname, '../contract/code-pairs/rejecting-models.toml');

let context: PairContext;
beforeAll(async () => {
  const faults = new StoreFaults();
  let chatReservations!: ChatReservations;
  let bodies!: BodyMemory;
  const [server, limited, modelless, full] = await Promise.all([
    startTestServer({
      blobs: faults.blobs,
      metadata: faults.metadata,
      onBodies: (memory) => void (bodies = memory),
      chatReservations: (store) => (chatReservations = new MemoryChatReservations(store)),
    }),
    startTestServer({ rateLimits: true }),
    startTestServer({ env: { CUBBY_AI_DEV_RESPONDER: 'off', CUBBY_AI_DAILY_TOKENS: '1000000' } }),
    startTestServer({ env: { CUBBY_AI_MODELS_FILE: rejecting } }),
  ]);
  const renders = { before: async () => {} };
  context = { chatReservations, bodies, server, limited, modelless, full, faults, renders };
});
afterAll(() =>
  Promise.all([context.server, context.limited, context.modelless, context.full].map((one) => one.stop())),
);

type Code = (typeof codesOfOperation)['createChatCompletion'][number];

/** Returns options of a client whose network returns this response of the server, with its headers. */
function given({ body, status, headers }: TestAnswer): ClientOptions {
  return {
    api: 'http://gateway.invalid',
    credential: 'cbk_any',
    fetch: async () => new Response(new Uint8Array(body), { status, headers }),
  };
}

/** Returns the class of `openai` for a status, as its documentation lists them. */
function openAiClass(status: number): unknown {
  const classes: Readonly<Record<number, unknown>> = {
    400: OpenAI.BadRequestError,
    401: OpenAI.AuthenticationError,
    403: OpenAI.PermissionDeniedError,
    404: OpenAI.NotFoundError,
    429: OpenAI.RateLimitError,
  };
  return classes[status] ?? (status >= 500 ? OpenAI.InternalServerError : OpenAI.APIError);
}

/** Returns the code that `@langchain/openai` adds for the codes and statuses that it knows. */
function langChainCode(status: number, code: Code): string | undefined {
  if (code === 'invalid_request') return 'INVALID_TOOL_RESULTS';
  return { 401: 'MODEL_AUTHENTICATION', 404: 'MODEL_NOT_FOUND', 429: 'MODEL_RATE_LIMIT' }[status];
}

describe.each(codesOfOperation.createChatCompletion.map((code) => ({ code })))('$code', ({ code }) => {
  it("is thrown by each client as its own error class, with the gateway's status, code and words", async () => {
    const answer = await pairs.createChatCompletion![code]!(context);
    const { message, type } = answer.json().error;
    const thrown = (error: any) => error;

    const ofOpenAi = await openAiClient(given(answer))
      .chat.completions.create({ model: 'cubic', messages: [] })
      .then(() => undefined, thrown);
    expect(ofOpenAi.constructor).toBe(openAiClass(answer.status));
    expect(ofOpenAi).toMatchObject({
      status: answer.status,
      code,
      type,
      param: null,
      message: `${answer.status} ${message}`,
    });

    const ofAiSdk = await generateText({ model: aiSdkModel(given(answer)), prompt: 'hello', maxRetries: 0 }).then(
      () => undefined,
      thrown,
    );
    expect(APICallError.isInstance(ofAiSdk)).toBe(true);
    expect(ofAiSdk).toMatchObject({
      statusCode: answer.status,
      message,
      isRetryable: answer.status === 429 || answer.status >= 500,
      data: { error: { code, type } },
    });

    const ofLangChain = await langChainModel(given(answer))
      .invoke('hello')
      .then(() => undefined, thrown);
    if (code === 'context_length_exceeded') return expect(ContextOverflowError.isInstance(ofLangChain)).toBe(true);
    expect(ofLangChain).toMatchObject({ status: answer.status, code, message: expect.stringContaining(message) });
    expect(ofLangChain.lc_error_code).toBe(langChainCode(answer.status, code));
  });
});
