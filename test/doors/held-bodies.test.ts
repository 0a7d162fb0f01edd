import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { policies, type OperationId } from '#generated/policies.ts';
import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import { maxJsonBodyBytes } from '#server/domain/limits.ts';
import type { BodyHolder, BodyMemory } from '#server/http/body-memory.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { sign } from '#test/s3/signed-request.ts';
import { whileFull } from '#test/support/body-hold.ts';
import { contract } from '#test/support/contract.ts';
import { eventually } from '#test/support/eventually.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import type { TestAccount, TestServer } from '#test/support/server.ts';
import { sampleRequest } from '../../openapi/build/sample-request.ts';
import { operationsOf } from '../../openapi/codegen/document.ts';
import { connectTo, parseAnswer, type Door } from './raw-connection.ts';

const ofFeatures = await partsOfFeatures('addresses');
let server: TestServer;
let bodies!: BodyMemory;
let account: TestAccount;
let operatorKey: string;
let gateway: Gateway;
/** Paths that lead somewhere, of the operations that look before they read. */
let paths: Partial<Record<OperationId, string>>;

beforeAll(async () => {
  gateway = await startGateway({
    rateLimits: true,
    env: { CUBBY_TRUSTED_PROXIES: 'loopback' },
    onBodies: (memory) => void (bodies = memory),
  });
  ({ server, account } = gateway);
  operatorKey = await server.operatorKey();
  const object = (await upload(server, account, { bytes: someBytes(600), query: { private: 'true' } })).json().response
    .id;
  const made = async (path: string, body: object) =>
    (await server.send(path, { method: 'POST', credential: account.credential, body: JSON.stringify(body) })).json()
      .response;
  const share = await made('/v1/shares', { object, password: 'correct horse' });
  paths = {
    submitSharePassword: new URL(share.url).pathname,
    ...Object.assign({}, ...(await Promise.all(ofFeatures.map((own) => own.takingBodies?.({ server, account }))))),
  };
});
afterAll(() => gateway.stop());

const operations = operationsOf(contract).flatMap((operation) => {
  const policy = policies[operation.id as OperationId];
  const isHeld = policy.bodyTypes.some((type) => /json|urlencoded/.test(type)) || policy.formParts;
  return isHeld ? [{ id: operation.id as OperationId, policy, operation }] : [];
});
const ofAnybody = operations.filter(({ policy }) => policy.credentials.length === 0);

/** The beginning of a body, of which something is kept. */
function startOf({ rawBody, formParts, bodyTypes }: OperationPolicy): { readonly type: string; readonly text: string } {
  if (formParts)
    return {
      type: 'multipart/form-data; boundary=b',
      text: '--b\r\nContent-Disposition: form-data; name="sender"\r\n\r\nAnn, ',
    };
  const type = bodyTypes.at(-1)!;
  if (rawBody) return { type: 'application/json', text: '{"ref":"refs/heads/' };
  return { type, text: type === 'application/json' ? '{"name":"' : 'name=' };
}

function headOf(
  { id, policy, operation }: (typeof operations)[number],
  headers: Readonly<Record<string, string>>,
  path = paths[id] ?? sampleRequest(contract, operation).target,
): string {
  const credential = policy.credentials.includes('operatorKey') ? operatorKey : account.credential;
  const all = {
    Host: 'localhost',
    Connection: 'close',
    ...(policy.credentials.length > 0 && { Authorization: credential }),
    ...headers,
  };
  return [
    `${policy.method.toUpperCase()} ${path} HTTP/1.1`,
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');
}

const nothingReserved = () =>
  eventually(() =>
    expect((['caller', 'anonymous', 'form'] as const).map((holder) => bodies.bytesOf(holder))).toEqual([0, 0, 0]),
  );

/** Sends the beginning of a body. Expects that it is counted, and no longer after the connection. */
async function expectCounted(door: Door, holder: BodyHolder, bytes: string | Buffer): Promise<void> {
  await nothingReserved();
  const client = await connectTo(server, door);
  client.socket.write(bytes);
  await eventually(() => expect(bodies.bytesOf(holder), client.received()).toBeGreaterThan(0));
  expect(bodies.bytesOf(holder)).toBeLessThan(4096);
  client.socket.destroy();
  await nothingReserved();
}

describe('a body that is held in memory is counted while it arrives', () => {
  it.each(operations.map((one) => [one.id, one] as const))('by %s', async (_, one) => {
    const { policy } = one;
    const { type, text } = startOf(policy);
    const holder = policy.credentials.length > 0 || policy.rawBody ? 'caller' : 'anonymous';
    const head = headOf(one, { 'Content-Type': type, 'Content-Length': '900' });
    await expectCounted(policy.door as Door, holder, `${head}${text}aaaa`);
  });

  it('by a form of S3, whose signature is among its fields', async () => {
    const form = '--b\r\nContent-Disposition: form-data; name="policy"\r\n\r\naaaa';
    const head = 'POST /private HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n';
    await expectCounted('s3', 'form', `${head}Content-Length: 900\r\n\r\n${form}`);
  });

  it.each(['delete', 'acl', 'tagging', 'versioning'])('by ?%s of S3', async (parameter) => {
    const method = parameter === 'delete' ? 'POST' : 'PUT';
    const body = '<Delete>'.padEnd(900, ' ');
    const wire = sign(gateway, { method, path: '/private', query: { [parameter]: '' }, body });
    const head = [`${wire.method} ${wire.target} HTTP/1.1`, ...wire.headers.map((pair) => pair.join(': ')), '\r\n'];
    await expectCounted('s3', 'caller', `${head.join('\r\n')}<Delete>`);
  });
});

describe('an operation for anybody', () => {
  const fields = ofAnybody.filter(({ policy }) => policy.maxBodyBytes !== undefined);

  it('has a limit of some KiB for its body, unless it reads it as it arrives', () => {
    const others = ofAnybody.filter(({ policy }) => policy.maxBodyBytes === undefined).map(({ id }) => id);
    expect(others.toSorted()).toEqual(ofFeatures.flatMap(({ streaming = [] }) => streaming).toSorted());
    for (const { policy } of fields) expect(policy.maxBodyBytes).toBeLessThan(maxJsonBodyBytes / 16);
  });

  /** Announces a body, and returns the response if the server does not ask for it. */
  async function unread(door: string, head: string) {
    const client = await connectTo(server, door as Door);
    client.socket.write(head);
    const text = await client.closed();
    expect(text).not.toContain('100 Continue');
    return parseAnswer(text);
  }

  const expecting = (bytes: number, type: string) => ({
    Expect: '100-continue',
    'Content-Type': type,
    'Content-Length': String(bytes),
  });

  it.each(fields.map((one) => [one.id, one] as const))('refuses a larger body of %s unread', async (_, one) => {
    const { policy } = one;
    const head = headOf(one, expecting(policy.maxBodyBytes! + 1, startOf(policy).type));
    const { status, body } = await unread(policy.door, head);
    expect([status, body]).toEqual([413, expect.stringContaining(`It takes up to ${policy.maxBodyBytes} bytes`)]);
  });

  const looking = ofAnybody.filter(({ policy }) => policy.path.includes('{'));

  it.each(looking.map((one) => [one.id, one] as const))('answers for an unknown path of %s unread', async (_, one) => {
    const { policy } = one;
    const path = policy.path.replaceAll(/\{[^{}]+\}/g, 'made-up');
    const head = headOf(one, expecting(500, startOf(policy).type), path);
    expect((await unread(policy.door, head)).status).toBe(404);
  });

  const limited = fields.filter(({ policy }) => policy.rateLimits.some(({ limit }) => limit > 1 && limit <= 60));

  it.each(limited.map((one) => [one.id, one] as const))('charges the limits of %s unread', async (_, one) => {
    const { policy } = one;
    const { limit } = policy.rateLimits[0]!;
    // Too large a body is refused after the limits.
    const head = headOf(one, expecting(26_214_401, startOf(policy).type));
    const statuses = [];
    for (let sent = 0; sent <= limit; sent++) statuses.push((await unread(policy.door, head)).status);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('when bodies without a credential fill their memory', () => {
  it('callers with a key are served', async () => {
    const [refused, served] = await whileFull(bodies, ['anonymous', 'form'], async () => [
      await server.send('/v2/auth/device', {
        method: 'POST',
        headers: { 'X-Forwarded-For': '203.0.113.9' },
        body: '{}',
      }),
      await server.send('/v1/upload-tokens', { method: 'POST', credential: account.credential, body: '{}' }),
    ]);
    expect([refused!.status, refused!.headers.get('retry-after')]).toEqual([503, '2']);
    expect(served!.status).toBe(200);
  });
});

describe('when all memory for bodies is full', () => {
  it('S3 answers SlowDown with Retry-After, before anything is changed', async () => {
    const wire = sign(gateway, {
      method: 'POST',
      path: '/private',
      query: { delete: '' },
      body: '<Delete><Object><Key>a</Key></Object></Delete>',
    });
    const answer = await whileFull(bodies, ['caller'], () =>
      fetch(gateway.url + wire.target, {
        method: wire.method,
        headers: Object.fromEntries(wire.headers.filter(([name]) => name !== 'content-length' && name !== 'host')),
        body: new Uint8Array(wire.body),
      }),
    );
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await answer.text()).toContain('<Code>SlowDown</Code>');
  });

  it('the metrics show the bytes and the refusals', async () => {
    const text = await whileFull(bodies, ['caller'], async () => {
      await server.send('/v1/upload-tokens', { method: 'POST', credential: account.credential, body: '{}' });
      return (await server.send('/metrics', { door: 'operator' })).body.toString();
    });
    expect(text).toMatch(/^cubby_held_body_bytes\{holder="caller"\} \d{8,}$/m);
    expect(text).toMatch(/^cubby_bodies_refused_total\{holder="caller"\} [1-9]/m);
  });
});
