import { beforeAll, describe, expect, it } from 'vitest';

import type { ErrorCode } from '#generated/errors.ts';
import { policies, type OperationId } from '#generated/policies.ts';
import type { FieldCodes, OperationPolicy } from '#server/pipeline/operation-policy.ts';
import { createKey } from '#server/domain/access/create-key.ts';
import { createApp } from '#server/features/apps/create-app.ts';
import { chunking } from '#test/support/chunked.ts';
import { eventually } from '#test/support/eventually.ts';
import { upload } from '#test/support/files.ts';
import { serialUploads, tus } from '#test/support/serial.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import type { TestAnswer } from '#test/support/server.ts';
import { shareObject } from '#test/support/shares.ts';
import { chatFields } from './chat-fields.ts';
import { embeddingFields } from './embedding-fields.ts';
import { messagesFields } from './messages-fields.ts';
import { responsesFields } from './responses-fields.ts';
import { multipart, multipartType, smallest } from './multipart.ts';
import { cursors, sent } from './odd-values.ts';
import type { Odd, OneAccount, Sent, Value, World } from './odd.ts';
import { rawSend } from './raw-request.ts';
import { declaredFields, type BadValue } from './schema-values.ts';
import { watchedServer } from './watched-server.ts';

const watched = watchedServer();
const chunks = chunking(() => watched.server);
const serial = serialUploads(() => watched.server);
const ofFeatures = await partsOfFeatures('request-fields');
let appId: string;
let operatorKey: string;
/** What `{id}` stands for in paths that have a text. The last one is for all others. */
let ids: ReadonlyArray<readonly [within: string, id: string]>;

beforeAll(async () => {
  appId = (await createApp(watched.server.running.app.stores, { accountId: watched.account.id, name: 'shop' }))!.id;
  const webhook = { url: 'https://example.com/hook', types: ['quota.*'] };
  const webhookId = (
    await watched.server.send('/v1/webhooks', {
      method: 'POST',
      credential: watched.account.credential,
      body: JSON.stringify(webhook),
    })
  ).json().response.id;
  // An enabled one notes how far its deliveries are written.
  await watched.server.send(`/v1/webhooks/${webhookId}`, {
    method: 'PATCH',
    credential: watched.account.credential,
    body: JSON.stringify({ enabled: false }),
  });
  const owner = { accountId: watched.account.id, name: 'other', scopes: ['ai:chat'] } as const;
  const keyId = (await createKey(watched.server.running.app.stores, owner)).key.id;
  const ofOthers = ofFeatures.flatMap(({ ids: own = {} }) => Object.entries(own));
  ids = [
    ['/keys/', keyId],
    ...(await Promise.all(ofOthers.map(async ([within, make]) => [within, await make(oneAccount())] as const))),
    ['/', webhookId],
  ];
  operatorKey = await watched.server.operatorKey();
  // The first use of a key is a write.
  const { read } = watched.server.running.app.stores.metadata;
  await watched.server.send('/v2/operator/jobs', { door: 'operator', credential: operatorKey });
  await eventually(async () => expect((await read.operatorKeys.list())[0]?.lastUsedAt).not.toBeNull());
});

const oneAccount = (): OneAccount => ({ server: watched.server, account: watched.account, appId });

/** The place of an operation, and the credential that it takes. */
function requestOf(operation: OperationId) {
  const { path, method, door }: OperationPolicy = policies[operation];
  return {
    method: method.toUpperCase(),
    path: path
      .replace('{app_id}', appId)
      .replace('{id}', ids.find(([within]) => path.includes(within))![1])
      .replace('{account_id}', watched.account.id),
    ...(door === 'operator'
      ? ({ door, credential: operatorKey } as const)
      : { credential: watched.account.credential }),
  };
}

function newWorld(): World {
  const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
    let made: Promise<T> | undefined;
    return () => (made ??= make());
  };
  const stored = async (account = watched.account) =>
    (await upload(watched.server, account, { query: { name: 'file' } })).json().response.id as string;
  const file = once(() => stored());
  const others = new Map<string, Promise<string>>();
  return {
    file,
    foreign: once(async () => stored(await watched.server.account())),
    handle: once(async () => {
      const handle = await chunks.open(watched.account);
      await chunks.put(watched.account, handle, 1, smallest);
      return handle;
    }),
    credential: async () => watched.account.credential,
    operatorKey: async () => operatorKey,
    once(name, make) {
      if (!others.has(name)) others.set(name, make(oneAccount()));
      return others.get(name)!;
    },
    shareId: once(async () => (await shareObject(watched.server, watched.account, await file())).id),
  };
}

/** Sends these fields in the form of the operation: as JSON if it has a body of fields, otherwise in the query. */
function send(operation: OperationId, fields: Readonly<Record<string, unknown>>): Promise<TestAnswer> {
  const { bodyTypes, bodyFields, uploadMetadata }: OperationPolicy = policies[operation];
  const request = requestOf(operation);
  const { path } = request;
  if (Object.keys(bodyFields).length > 0) return rawSend(watched.server, { ...request, body: JSON.stringify(fields) });
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  // The protocol has headers of its own, and needs no body.
  if (uploadMetadata)
    return rawSend(watched.server, {
      ...request,
      path: `${path}?${search}`,
      headers: { ...tus, 'Upload-Length': '600' },
    });
  if (!bodyTypes.includes('multipart/form-data'))
    return rawSend(watched.server, {
      ...request,
      path: `${path}?${search}`,
      body: bodyTypes.includes('application/octet-stream') ? smallest : undefined,
    });
  const headers = { 'Content-Type': multipartType };
  return rawSend(watched.server, { ...request, path: `${path}?${search}`, headers, body: multipart(smallest) });
}

/** Returns the fields with a value at the place with this name in `policies`. */
function withField(fields: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (step === '*') return [withField(Array.isArray(fields) ? fields[0] : undefined, rest, value)];
  const known = (fields ?? {}) as Readonly<Record<string, unknown>>;
  return { ...known, [step]: withField(known[step], rest, value) };
}

/** Fields that replace one another. When one is tried, the other is left out. */
const oneOf: Readonly<Record<string, string>> = {
  event: 'from',
  objects: 'object',
  client_id: 'client_name',
  scope: 'scopes',
};

const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 80);

/** Removes things of which an account may have only a few. */
async function tidyUp(operation: OperationId, answer: TestAnswer): Promise<void> {
  if (operation === 'startChunkedUpload') await chunks.abort(watched.account, answer.json().response.upload);
  if (operation === 'startUpload') await serial.end(watched.account, answer.headers.get('location')!);
  const { metadata } = watched.server.running.app.stores;
  const revoke = (keyId: string) => metadata.atomically((tx) => tx.apiKeys.revoke(keyId, tx.now));
  if (operation === 'createKey') await revoke(answer.json().response.id);
  if (operation === 'createWebhook') await metadata.atomically((tx) => tx.webhooks.remove(answer.json().response.id));
  if (operation === 'createAccountKey') await revoke(answer.json().response.key_id);
}

/** Requests to the AI gateway have tables of their own. */
const aiOperations = [
  'createChatCompletion',
  'createEmbeddings',
  'createResponse',
  'createMessage',
  'countMessageTokens',
];

/**
 * Operations with fields in forms and paths, and of files. device.test.ts, shares.test.ts, download-link.test.ts,
 * code-pairs/, flows/image-variants.long.test.ts and the tests of features test them.
 */
const elsewhere = [
  ...ofFeatures.flatMap(({ elsewhere: own = [] }): readonly string[] => own),
  'showActivationPage',
  'submitActivation',
  'openShare',
  'submitSharePassword',
  'getPublicFile',
  'openDownloadLink',
];

const operations = (Object.keys(policies) as OperationId[])
  .filter((operation) => ![...aiOperations, ...elsewhere].includes(operation))
  .map((operation) => {
    const { beside, takesNone = false, fields: oddOnes }: Sent = sent[operation] ?? {};
    const oddOf: Readonly<Record<string, Odd>> = { ...cursors, ...oddOnes };
    const fields = declaredFields(operation).map((one) => ({ ...one, odd: oddOf[one.field] }));
    return { operation, beside, takesNone, fields };
  })
  .filter(({ fields }) => fields.length > 0);

let turn = 0;

/** The short form sends the values at the borders, and an eighth of the others, which is another one for each field. */
function fewOf(bad: readonly BadValue[]): readonly BadValue[] {
  turn++;
  return process.env.CUBBY_TEST_LONG === '1'
    ? bad
    : bad.filter(({ isBorder }, at) => isBorder || (at + turn) % 8 === 0);
}

describe.each(operations)('$operation()', ({ operation, beside, takesNone, fields }) => {
  it.each(fields)('refuses bad values of $field, and takes good ones', async ({ field, bad, good, odd }) => {
    const world = newWorld();
    const valueIn = async (value: Value) => (typeof value === 'function' ? value(world) : value);
    const asked = async (value: unknown) => {
      const others = { ...(await beside?.(world)) };
      delete others[oneOf[field.split('/')[0]!] ?? ''];
      return withField(others, field.split('/'), value) as Readonly<Record<string, unknown>>;
    };
    const { default: own } = codesOf(operation, field);
    const oddOnes = odd?.bad.map((value) => ({ codes: [odd.code ?? own], value })) ?? [];
    const requests: { codes: readonly ErrorCode[]; value: unknown; fields: Readonly<Record<string, unknown>> }[] = [];
    for (const { codes, value: made } of [...fewOf(bad), ...oddOnes]) {
      const value = await valueIn(made);
      requests.push({ codes, value, fields: await asked(value) });
    }
    await watched.state.unchangedBy(async () => {
      for (const { codes, value, fields } of requests) {
        const answer = (await send(operation, fields)).json();
        expect(codes, `${field} is ${shown(value)}`).toContain(answer.code ?? answer.error?.code ?? answer.error);
      }
    });
    const taken = [...(odd?.isAll ? [] : good), ...(odd?.good ?? [])];
    for (const made of takesNone ? [] : taken) {
      const value = await valueIn(made);
      const answer = await send(operation, await asked(value));
      expect(answer.status, `${field} is ${shown(value)}: ${answer.body.toString()}`).toBeLessThan(400);
      await tidyUp(operation, answer);
    }
  });
});

function codesOf(operation: OperationId, field: string): FieldCodes {
  const { queryFields, bodyFields }: OperationPolicy = policies[operation];
  return (bodyFields[`body/${field}`] ?? queryFields[field])!.codes!;
}

it('every odd value belongs to a field of the contract', () => {
  for (const [operation, { fields = {} }] of Object.entries(sent)) {
    const declared = declaredFields(operation as OperationId).map(({ field }) => field);
    expect(declared, operation).toEqual(expect.arrayContaining(Object.keys(fields)));
  }
});

const withJson = operations.filter(({ operation }) => {
  const { bodyTypes }: OperationPolicy = policies[operation];
  return bodyTypes.includes('application/json');
});

it.each(withJson)('$operation() reads its body as an object in at most 1 MiB of JSON', async ({ operation }) => {
  const { bodyRequired, errorShape }: OperationPolicy = policies[operation];
  const request = requestOf(operation);
  const codeOf = async (body: string) => {
    const answer = (await watched.state.unchangedBy(() => rawSend(watched.server, { ...request, body }))).json();
    return answer.code ?? answer.error;
  };
  const isOauth = errorShape === 'oauth';
  for (const body of [...(bodyRequired ? ['', ' '] : []), '{', '{}x', '[]', 'null', '"a"', '7', 'true'])
    expect(await codeOf(body), body).toBe(isOauth ? 'invalid_request' : 'INVALID_BODY');
  expect(await codeOf('{}'.padEnd(1_048_577))).toBe(isOauth ? 'body_too_large' : 'BODY_TOO_LARGE');
});

it('the tables of the AI gateway name every field of its operations', () => {
  /** Fields that are tried as parts of the field around them. */
  const withinOthers = [
    'messages/*',
    'messages/*/tool_calls/*',
    'stop/*',
    'tools/*',
    'tool_choice/type',
    'tool_choice/function',
    'tool_choice/function/name',
    'response_format/type',
    'response_format/json_schema',
    'modalities/*',
    'messages/*/content/*',
    'input/*',
    'input/*/*',
  ];
  const tables = {
    createChatCompletion: chatFields,
    createEmbeddings: embeddingFields,
    createResponse: responsesFields,
    createMessage: messagesFields,
    countMessageTokens: messagesFields,
  };
  for (const [operation, table] of Object.entries(tables)) {
    const { bodyFields }: OperationPolicy = policies[operation as OperationId];
    const listed = [
      ...table.map(({ field }) => field),
      ...(table === responsesFields || table === messagesFields ? [] : withinOthers),
    ];
    const declared = Object.keys(bodyFields).flatMap((path) => /^body\/(.+)$/.exec(path)?.[1] ?? []);
    expect(
      declared.filter((field) => !listed.includes(field)),
      operation,
    ).toEqual([]);
  }
});
