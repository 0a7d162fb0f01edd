import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { checkConfig } from '#server/config/config.ts';
import { exchange } from '#test/doors/raw-request.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import { startTestServer, type TestAnswer } from '#test/support/server.ts';
import type { Cases, Switch } from './cases.ts';

const target = mkdtempSync(join(tmpdir(), 'cubby-switches-'));
afterAll(() => rmSync(target, { recursive: true, force: true }));

const post =
  (path: string, body: object): Switch['ask'] =>
  ({ server, account: { credential } }) =>
    server.send(path, { method: 'POST', credential, body: JSON.stringify(body) });
const chat = (body: object) =>
  post('/v2/ai/chat/completions', { messages: [{ role: 'user', content: 'hello' }], ...body });
const saying = (message: object) => chat({ messages: [{ role: 'user', content: 'hello' }, message] });
const texts = [
  { type: 'text', text: 'a' },
  { type: 'text', text: 'b' },
];

/** Asks for a second answer within the pause of the plan. */
const askTwice: Switch['ask'] = async ({ server }) => {
  const account = await server.account('standard');
  await chat({})({ server, account });
  return chat({})({ server, account });
};

const signIn: Switch['ask'] = async ({ server, account }) => {
  const response = await fetch(`http://127.0.0.1:${server.running.ports.api}/v1/sessions`, {
    method: 'POST',
    body: JSON.stringify({ api_key: account.credential }),
  });
  const body = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  return { status, headers, body, json: () => JSON.parse(body.toString()) };
};

const clientForms = { CUBBY_AI_CLIENT_FORMS: 'on' };
const allowPrivate = { CUBBY_WEBHOOK_ALLOW_PRIVATE: 'on' };
const url = 'http://127.0.0.1:1/hook';

const isOpen = { CUBBY_AI: 'open' };

const table: Cases['switches'] = {
  ...Object.assign({}, ...(await partsOfFeatures('cases')).map((own) => own.switches)),
  'a stream of a chat completion': {
    code: 'stream_not_supported',
    named: 'CUBBY_AI_STREAMING=on',
    lifting: { CUBBY_AI_STREAMING: 'on' },
    ask: chat({ stream: true }),
  },
  'a stream of a chat completion, with the one switch': {
    code: 'stream_not_supported',
    named: 'CUBBY_AI=open',
    lifting: isOpen,
    ask: chat({ stream: true }),
  },
  'text in parts, with the one switch': {
    code: 'multimodal_not_supported',
    named: 'CUBBY_AI=open',
    lifting: isOpen,
    ask: saying({ role: 'user', content: texts }),
  },
  'the role developer, with the one switch': {
    code: 'invalid_messages',
    named: 'CUBBY_AI=open',
    lifting: isOpen,
    ask: saying({ role: 'developer', content: 'Be brief.' }),
  },
  'text in parts': {
    code: 'multimodal_not_supported',
    named: 'CUBBY_AI_CLIENT_FORMS=on',
    lifting: clientForms,
    ask: saying({ role: 'user', content: texts }),
  },
  'the role developer': {
    code: 'invalid_messages',
    named: 'CUBBY_AI_CLIENT_FORMS=on',
    lifting: clientForms,
    ask: saying({ role: 'developer', content: 'Be brief.' }),
  },
  'Open Responses': {
    code: 'responses_not_supported',
    named: 'CUBBY_AI_RESPONSES=on',
    env: { CUBBY_AI_RESPONSES: 'off' },
    lifting: { CUBBY_AI_RESPONSES: 'on' },
    ask: post('/v2/ai/responses', { input: 'hello' }),
  },
  'the Messages API': {
    code: 'messages_not_supported',
    named: 'CUBBY_AI_MESSAGES=on',
    env: { CUBBY_AI_MESSAGES: 'off' },
    lifting: { CUBBY_AI_MESSAGES: 'on' },
    ask: post('/v2/ai/messages', { messages: [{ role: 'user', content: 'hello' }] }),
  },
  embeddings: {
    code: 'embeddings_not_supported',
    named: 'CUBBY_AI_EMBEDDINGS_MODEL',
    lifting: { CUBBY_AI_EMBEDDINGS_MODEL: 'tiny', CUBBY_AI_EMBEDDINGS_URL: 'http://127.0.0.1:1/v1' },
    ask: post('/v2/ai/embeddings', { input: 'hello' }),
  },
  'a question without a model': {
    code: 'server_overloaded',
    named: 'CUBBY_AI_UPSTREAM_URL',
    env: { CUBBY_AI_DEV_RESPONDER: 'off' },
    lifting: { CUBBY_AI_DEV_RESPONDER: 'on' },
    ask: chat({}),
  },
  'a second question within the pause': {
    code: 'rate_limit_exceeded',
    named: 'CUBBY_AI_QUEUE_MS',
    ask: askTwice,
  },
  'a webhook to a private address': {
    code: 'INVALID_WEBHOOK_URL',
    named: 'CUBBY_WEBHOOK_ALLOW_PRIVATE',
    lifting: allowPrivate,
    ask: post('/v1/webhooks', { url, types: ['object.created'] }),
  },
  'a session over http': {
    code: 'HTTPS_REQUIRED',
    named: 'CUBBY_API_URL',
    env: { CUBBY_API_URL: 'http://cubby.example' },
    lifting: { CUBBY_API_URL: 'https://cubby.example' },
    ask: signIn,
  },
  'a question beyond the tokens of the installation': {
    code: 'daily_capacity_reached',
    named: 'CUBBY_AI_DAILY_TOKENS',
    env: { CUBBY_AI_DAILY_TOKENS: '1' },
    lifting: { CUBBY_AI_DAILY_TOKENS: '1000000' },
    ask: chat({}),
  },
  "a foreign name of the operator's door": {
    code: 'HOST_NOT_ALLOWED',
    named: 'CUBBY_OPERATOR_NAMES',
    lifting: { CUBBY_OPERATOR_NAMES: 'cubby' },
    ask: ({ server }) => exchange(server, '/metrics', { door: 'operator', headers: { Host: 'cubby' } }),
  },
  'the list of backups': {
    code: 'BACKUP_TARGET_MISSING',
    named: 'CUBBY_BACKUP_TARGET',
    lifting: { CUBBY_BACKUP_TARGET: target },
    ask: async ({ server }) =>
      server.send('/v2/operator/backups', { door: 'operator', credential: await server.operatorKey() }),
  },
};

/** Settings that lift no refusal, or none that a client could have lifted. */
const liftNothing = [
  // Addresses, files and secrets.
  'CUBBY_DATA_DIR',
  'CUBBY_DATABASE_URL',
  'CUBBY_DATABASE_PASSWORD_FILE',
  'CUBBY_HOST',
  'CUBBY_OPERATOR_HOST',
  'CUBBY_API_PORT',
  'CUBBY_FILES_PORT',
  'CUBBY_PUBLIC_PORT',
  'CUBBY_S3_PORT',
  'CUBBY_OPERATOR_PORT',
  'CUBBY_OPERATOR_URL',
  'CUBBY_BASE_URL',
  'CUBBY_FILES_URL',
  'CUBBY_PUBLIC_URL',
  'CUBBY_S3_URL',
  'CUBBY_MASTER_KEY',
  'CUBBY_KEY_ENCRYPTION_KEY',
  'CUBBY_BLOBS_URL',
  'CUBBY_BLOBS_ACCESS_KEY_ID',
  'CUBBY_BLOBS_SECRET_ACCESS_KEY',
  'CUBBY_BACKUP_ACCESS_KEY_ID',
  'CUBBY_BACKUP_SECRET_ACCESS_KEY',
  'CUBBY_TRUSTED_PROXIES',
  'CUBBY_CDN_PURGE_URL',
  'CUBBY_AI_UPSTREAM_KEY',
  'CUBBY_AI_UPSTREAM_MODEL',
  'CUBBY_AI_EMBEDDINGS_KEY',
  // Other ways to name a model than CUBBY_AI_UPSTREAM_URL.
  'CUBBY_AI_MODEL_FILE',
  'CUBBY_AI_MODELS_FILE',
  // They protect the machine. A message that names them would ask clients to have the protection removed.
  'CUBBY_RATE_LIMITS',
  'CUBBY_MIN_FREE_BYTES',
  'CUBBY_BODY_MEMORY',
  'CUBBY_AI_MAX_CONCURRENT',
  // Without them an answer has less, but nothing is refused.
  'CUBBY_AI_CACHE_SECONDS',
  'CUBBY_AI_CACHE_BYTES',
  'CUBBY_AI_LOG_DAYS',
  'CUBBY_AI_STREAM_KEEPALIVE_SECONDS',
  'CUBBY_AI_TRACE_CONTENT',
  'CUBBY_SEARCH_URL',
  'CUBBY_IMAGE_VARIANTS',
  'CUBBY_IMAGE_PRESETS',
  'CUBBY_IMAGE_CACHE_BYTES',
  'CUBBY_EVENTS_DAYS',
  // What is switched off is answered as an unknown route.
  'CUBBY_FEATURES',
  'CUBBY_SCRUB_DAYS',
  'CUBBY_BLOBS_REDIRECT',
  'CUBBY_PUBLIC_METRICS',
  'CUBBY_CACHES',
  'CUBBY_CACHE_BYTES',
  'CUBBY_WORKERS',
  'CUBBY_LOG',
];

const codeOf = (answer: TestAnswer) => {
  if (!answer.body.toString().startsWith('{')) return undefined;
  const body = answer.json();
  return body.error?.code ?? body.code;
};

const askOf = async (row: Switch, env: Switch['env'] = {}) => {
  const server = await startTestServer({ rateLimits: true, env: { ...row.env, ...env } });
  return row.ask({ server, account: await server.account('enterprise') });
};

describe('a refusal that a setting lifts', () => {
  it.each(Object.entries(table))('names the setting: %s', async (_, row) => {
    const refused = await askOf(row);
    expect([codeOf(refused), refused.body.toString()]).toEqual([row.code, expect.stringContaining(row.named)]);
    if (row.lifting) expect(codeOf(await askOf(row, row.lifting))).not.toBe(row.code);
  });

  it('is in this table, or the setting lifts none', () => {
    const named = Object.values(table).flatMap(({ named, lifting = {} }) => [
      named.replace(/=.*/, ''),
      ...Object.keys(lifting),
    ]);
    const settings = checkConfig({}).settings.map(({ name }) => name);
    expect(settings.filter((name) => !named.includes(name)).toSorted()).toEqual(liftNothing.toSorted());
  });
});
