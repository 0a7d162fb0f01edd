import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { errors, type ErrorCode } from '#generated/errors.ts';
import { policies, type OperationId } from '#generated/policies.ts';
import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import { startChatUpstream, type ChatUpstream } from '#mocks/chat-upstream.ts';
import type { ChatReservations } from '#server/features/chat/reservations/chat-reservations.ts';
import type { BodyMemory } from '#server/http/body-memory.ts';
import { MemoryChatReservations } from '#server/features/chat/stores/memory/chat-reservations.ts';
import { startTestServer, type TestAnswer } from '#test/support/server.ts';
import type { PairContext } from './provocation.ts';
import { pairs } from './registry.ts';
import { faultWords, StoreFaults } from './store-faults.ts';

let context: PairContext;
let upstream: ChatUpstream;
beforeAll(async () => {
  const faults = new StoreFaults();
  let chatReservations!: ChatReservations;
  let bodies!: BodyMemory;
  const { blobs, metadata } = faults;
  const renders = { before: async () => {} };
  upstream = await startChatUpstream();
  upstream.answer(({ body }) => {
    const [input] = body.input as readonly string[];
    return input === 'broken' ? { status: 500 } : input === 'refused' ? { status: 400 } : { text: 'here' };
  });
  const embeddings = { CUBBY_AI_EMBEDDINGS_MODEL: 'tiny', CUBBY_AI_EMBEDDINGS_URL: upstream.url };
  const noForms = { CUBBY_AI_RESPONSES: 'off', CUBBY_AI_MESSAGES: 'off' };
  const [server, limited, modelless, full] = await Promise.all([
    startTestServer({
      blobs,
      metadata,
      env: { CUBBY_IMAGE_VARIANTS: 'on', CUBBY_IMAGE_PRESETS: 'thumb:w=20', ...embeddings },
      imageRenderer: (real) => ({
        async render(...work) {
          await renders.before();
          return real.render(...work);
        },
      }),
      onBodies: (memory) => void (bodies = memory),
      chatReservations: (store) => (chatReservations = new MemoryChatReservations(store)),
    }),
    startTestServer({ rateLimits: true, env: { CUBBY_TRUSTED_PROXIES: 'loopback', ...noForms } }),
    startTestServer({
      env: {
        CUBBY_AI_DEV_RESPONDER: 'off',
        CUBBY_AI_DAILY_TOKENS: '1000000',
        ...embeddings,
        // Nothing listens there.
        CUBBY_AI_EMBEDDINGS_URL: 'http://127.0.0.1:9/v1',
      },
    }),
    startTestServer({
      env: {
        CUBBY_MIN_FREE_BYTES: '8000TiB',
        ...embeddings,
        CUBBY_AI_EMBEDDINGS_URL: 'http://127.0.0.1:9/v1',
        CUBBY_AI_MODELS_FILE: join(import.meta.dirname, 'rejecting-models.toml'),
      },
    }),
  ]);
  context = { chatReservations, bodies, server, limited, modelless, full, faults, renders };
});
afterAll(() =>
  Promise.all([
    context.server.stop(),
    context.limited.stop(),
    context.modelless.stop(),
    context.full.stop(),
    upstream.close(),
  ]),
);

/** Returns the code of a response in any shape. A text is matched by its message. */
function codeOf(operation: string, answer: TestAnswer): string | undefined {
  if (answer.headers.get('content-type')?.startsWith('application/json')) {
    const body = answer.json();
    return body.code ?? body.error?.code ?? body.error;
  }
  const text = answer.body.toString().trimEnd();
  return Object.entries({ ...errors.envelope, ...(operation === 'receiveGitPush' && errors.git) }).find(
    ([, { status, message }]) => status === answer.status && (message === text || text.startsWith(`${message} `)),
  )?.[0];
}

/** Device approval has its own status for `access_denied`. */
function statusOf(operation: string, code: ErrorCode): number {
  const isOauth = policies[operation as OperationId]?.errorShape === 'oauth';
  const table: Partial<Record<string, { status: number }>> = isOauth
    ? errors.oauth
    : { ...errors.ai, ...errors.git, ...errors.envelope };
  return table[code]!.status;
}

/**
 * Checks that each limit of the operation is counted, as in the contract. limits/ tests how many requests a limit
 * allows.
 */
function expectLimitsOf(operation: OperationId, { headers }: TestAnswer): void {
  const { rateLimits }: OperationPolicy = policies[operation];
  const own = rateLimits.filter(({ on }) => on === undefined);
  const announced = headers.get('ratelimit-policy')?.split(', ') ?? [];
  expect(announced).toEqual(
    expect.arrayContaining(own.map((one) => `"${one.name}";q=${one.limit};w=${one.windowSeconds}`)),
  );
}

/** Codes for failures of the server itself. Each is a fault, with a line in the log. */
const faultCodes: readonly string[] = [
  'INTERNAL_SERVER_ERROR',
  'internal_server_error',
  'UPLOAD_FAILED',
  'LIST_FAILED',
  'DELETE_FAILED',
  'COPY_FAILED',
  'RESTORE_FAILED',
  'PURGE_FAILED',
  'STORAGE_UNAVAILABLE',
  'storage_unavailable',
  'UNABLE_TO_FETCH_ERRORS',
  'DEPLOY_QUEUE_UNAVAILABLE',
];

describe.each(Object.entries(pairs))('%s', (operation, provocations) => {
  it.each(Object.entries(provocations) as Array<[ErrorCode, NonNullable<(typeof provocations)[ErrorCode]>]>)(
    'answers %s as the contract declares it',
    async (code, provoke) => {
      const { server } = context;
      const linesBefore = server.log.length;
      const answer = await provoke(context);

      expect(codeOf(operation, answer)).toBe(code);
      expect(answer.status).toBe(statusOf(operation, code));
      if (answer.status === 429 || ['STORAGE_UNAVAILABLE', 'SERVER_OVERLOADED'].includes(code.toUpperCase()))
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
      if (code === 'RATE_LIMITED' || code === 'rate_limited') expectLimitsOf(operation as OperationId, answer);

      // What runs in the background fails too while the store does. Such a fault names no request.
      const logged = server.log.slice(linesBefore).filter(({ message }) => message === 'fault');
      const faults = logged.filter(({ request_id }) => request_id !== undefined);
      if (!faultCodes.includes(code)) return expect(faults).toEqual([]);
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatchObject({ level: 'error', request_id: answer.headers.get('x-request-id') });
      expect(faults[0]!.error).toMatchObject({
        message: expect.stringMatching(/^the store broke|^The store cannot work/),
        stack: expect.any(String),
      });
      expect(JSON.stringify(faults[0])).not.toMatch(/cbk_|authorization/i);
      expect([...answer.headers].join() + answer.body.toString()).not.toMatch(
        new RegExp(`${faultWords}|cannot work|EIO|TypeError|\\.ts:`),
      );
    },
  );
});
