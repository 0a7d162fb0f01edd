import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';

import { describe, expect, expectTypeOf, it } from 'vitest';

import { policies, type OperationId } from '#generated/policies.ts';
import type { Handlers } from '#generated/router.ts';
import type { serveCore } from '#server/compose/core.ts';
import type { Given } from '#server/compose/given.ts';
import type { Ports, Served } from '#server/compose/served.ts';
import { parseConfig } from '#server/config/config.ts';
import type { DoorName } from '#server/config/door-names.ts';
import type { Feature } from '#server/feature.ts';
import { features } from '#server/features.ts';
import { namedCodes } from '#server/doors/api/codes-off.ts';
import { yamlOf } from '#server/doors/api/contract-yaml.ts';
import { contractWithout, switchedOff } from '#server/doors/api/switched-off.ts';
import type { Call } from '#server/handlers/call.ts';
import { root, sourceFiles } from '#test/architecture/imports.ts';
import { contract as wholeContract } from '#test/support/contract.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

const all: readonly Feature[] = features;

/** The features that a server can do without, each with those that need it. */
const optional = all
  .filter(({ isRequired }) => !isRequired)
  .map(({ name }) => ({ name, off: [name, ...needing(name)] }));

function needing(name: string): string[] {
  const direct = all.filter(({ needs }) => needs.some((one) => one.name === name)).map((one) => one.name);
  return [...new Set(direct.flatMap((one) => [one, ...needing(one)]))];
}

async function contractOf(server: TestServer): Promise<any> {
  return (await server.send('/openapi.json')).json();
}

function operationsOf(contract: any): string[] {
  const items: any[] = Object.values(contract.paths);
  return items
    .flatMap((item) => Object.values<any>(item))
    .flatMap(({ operationId }) => operationId ?? [])
    .toSorted();
}

/** Every reference of a contract that leads nowhere. */
function brokenReferences(contract: any): string[] {
  const references = [...JSON.stringify(contract).matchAll(/"\$ref":"(#[^"]+)"/g)].map(([, reference]) => reference!);
  return references.filter((reference) => {
    const steps = reference
      .slice(2)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    return steps.reduce((value: any, step) => value?.[step], contract) === undefined;
  });
}

/** Requests the address of an operation, with something in place of each parameter. Returns the status. */
async function statusAt({ running }: TestServer, id: OperationId, credential: string): Promise<number> {
  const { method, path, door } = policies[id];
  const address = running.urls[door as DoorName] + path.replace(/\{\w+\}/g, 'something');
  return (await fetch(address, { method: method.toUpperCase(), headers: { Authorization: credential } })).status;
}

/** The first job of a server: a file is uploaded, listed, read, shown to everybody and deleted. */
async function doMainJob(server: TestServer): Promise<void> {
  const { id, credential } = await server.account();
  const bytes = someBytes();
  const body = formWith(bytes);
  const address = `/${id}/hello.png`;
  expect((await server.send('/v1/objects?name=hello', { method: 'POST', credential, body })).status).toBe(200);
  const { objects } = (await server.send('/v1/objects', { credential })).json().response;
  expect(objects).toEqual([expect.objectContaining({ id: `pub${address}` })]);
  expect((await server.send(address, { door: 'public' })).body).toEqual(bytes);
  const removal = { method: 'DELETE', credential, body: JSON.stringify({ object: `pub${address}` }) };
  expect((await server.send('/v1/objects', removal)).status).toBe(200);
  expect((await server.send(address, { door: 'public' })).status).toBe(404);
}

/** Returns the operations that lie in the folders of features. */
function operationsIn(names: readonly string[]): OperationId[] {
  const folder = join(import.meta.dirname, '../../openapi/operations');
  const files = names.flatMap((name) => readdirSync(join(folder, name)));
  return files.map((file) => basename(file, '.yaml') as OperationId).toSorted();
}

/** Returns the codes of a contract: those of its responses, and its vocabularies. */
function codesIn(contract: any): string[] {
  const vocabularies = Object.values<any>(contract.components.schemas).filter((one) => one['x-enum-descriptions']);
  return [...new Set([...namedCodes(contract), ...vocabularies.flatMap((one) => one.enum)])];
}

/** Returns the codes that the parameters and fields of a contract name. */
function codesOfFields(contract: object): Set<string> {
  const codes = new Set<string>();
  JSON.stringify(contract, (key, value) => {
    if (key === 'x-error-code')
      for (const code of typeof value === 'string' ? [value] : Object.values<string>(value)) codes.add(code);
    return value;
  });
  return codes;
}

/**
 * For each error code in upper case, because some operations speak it in lower case: the features whose files name it,
 * and '' for all other files.
 */
const namers = new Map<string, Set<string>>();
const namersOf = (code: string) => [...(namers.get(code.toUpperCase()) ?? [])];
// It gives no code: it words the messages of those that fields have.
const messages = 'server/doors/contract/field-messages.ts';
for (const file of sourceFiles().filter((one) => one.startsWith('server/') && one !== messages)) {
  const [, feature = ''] = /^server\/features\/([^/]+)\//.exec(file) ?? [];
  for (const [, code] of readFileSync(join(root, file), 'utf8').matchAll(/'(\w+)'/g))
    namers.set(code!.toUpperCase(), new Set([...namersOf(code!), feature]));
}

it.each(optional)('a contract without $name has no code that only it gives', ({ off }) => {
  const gone = operationsIn(off);
  const handlers = Object.fromEntries(Object.entries(policies).filter(([id]) => !gone.includes(id as OperationId)));
  const without = switchedOff(
    all.filter(({ name }) => off.includes(name)),
    handlers,
  );
  const contract = contractWithout(structuredClone(wholeContract), without);
  const [known, left] = [codesOfFields(wholeContract), codesOfFields(contract)];
  const isOfOff = (code: string) =>
    (namersOf(code).length > 0 || known.has(code)) &&
    namersOf(code).every((feature) => off.includes(feature)) &&
    !left.has(code);
  expect(codesIn(contract).filter(isOfOff)).toEqual([]);
});

it('codes that the contract says are of one feature are named by no other', () => {
  // There may be none. The features that have some test that these are marked.
  const ofFeatures = Object.values<any>(wholeContract.components.examples).filter((one) => one['x-feature']);
  for (const { value, 'x-feature': feature } of ofFeatures) expect(namersOf(value.code), value.code).toEqual([feature]);
});

describe.each(optional)('a server without $name', ({ name, off }) => {
  it('knows none of its operations, and does the rest', async () => {
    const server = await startTestServer({ env: { CUBBY_FEATURES: off.map((one) => `-${one}`).join(',') } });
    const contract = await contractOf(server);
    const left = operationsOf(contract);
    const gone = operationsIn(off);
    const whole = (Object.keys(policies) as OperationId[]).toSorted();
    expect(left).toEqual(whole.filter((id) => !gone.includes(id)));
    expect(brokenReferences(contract)).toEqual([]);
    expect('webhooks' in contract).toBe(!off.includes('webhooks'));

    const { credential } = await server.account();
    const statuses = await Promise.all(gone.map(async (id) => [id, await statusAt(server, id, credential)] as const));
    const others = left.map((id) => policies[id as OperationId]);
    // The path may have other methods that are on.
    const expected = gone.map((id) => [id, others.some(({ path }) => path === policies[id].path) ? 405 : 404]);
    expect(statuses).toEqual(expected);

    await doMainJob(server);
    expect((await server.send('/console/config.json')).json().features_off).toContain(name);
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

it('both forms of the contract leave out the same, and so do the copies beside the documentation', async () => {
  const server = await startTestServer({ env: { CUBBY_FEATURES: '-chat' } });
  const yaml = (await server.send('/openapi.yaml')).body.toString();
  expect(yaml).toBe(yamlOf(await contractOf(server)));
  const copy = await server.send('/docs/openapi.yaml');
  expect([copy.status, copy.headers.get('Location')]).toEqual([302, '/openapi.yaml']);
});

it('an address of uploads that are switched off announces no protocol of theirs', async () => {
  const announces = async (env: Readonly<Record<string, string>>) => {
    const { running } = await startTestServer({ env });
    const { headers } = await fetch(`${running.urls.api}/v1/uploads`, { method: 'OPTIONS' });
    return headers.has('Tus-Version');
  };
  expect(await announces({})).toBe(true);
  const off = ['uploads', ...needing('uploads')].map((name) => `-${name}`).join();
  expect(await announces({ CUBBY_FEATURES: off })).toBe(false);
});

it('fields of the contract belong to features that may be switched off', () => {
  const named = [...JSON.stringify(wholeContract).matchAll(/"x-feature":"([^"]+)"/g)].map(([, name]) => name);
  expect(optional.map(({ name }) => name)).toEqual(expect.arrayContaining([...new Set(named)]));
});

it('jobs of a feature that is switched off do not run', async () => {
  const server = await startTestServer({ env: { CUBBY_FEATURES: '-chat' } });
  const credential = await server.operatorKey();
  const { jobs } = (await server.send('/v2/operator/jobs', { door: 'operator', credential })).json().response;
  const names = jobs.map(({ job }: { job: string }) => job);
  expect(names).toContain('delete-expired');
  expect(names).not.toContain('forget-chat-usage');
});

it('every operation has a handler when nothing is switched off', () => {
  type ServedBy<One> = One extends { readonly serve: () => Promise<{ serve(given: Given): infer Result }> }
    ? Awaited<Result>
    : never;
  type HandlersOf<One> = One extends { handlers(ports: Ports, served: readonly Served[]): infer Own }
    ? keyof Own
    : never;
  type Present = HandlersOf<ServedBy<(typeof features)[number]>> | HandlersOf<ReturnType<typeof serveCore>>;
  expectTypeOf<Exclude<keyof Handlers<Call>, Present>>().toEqualTypeOf<never>();
});

it('a door that is switched off does not listen', async () => {
  const server = await startTestServer({ env: { CUBBY_FEATURES: '-s3' } });
  expect(server.running.ports).not.toHaveProperty('s3');
  const { port } = new URL(server.running.urls.s3);
  expect(Number(port)).toBe(0);
});

it('a door with a port of its own that is switched off leaves the port free', async () => {
  const whole = await startTestServer();
  const { s3: port } = whole.running.ports;
  await whole.stop();
  await startTestServer({ env: { CUBBY_FEATURES: '-s3', CUBBY_S3_PORT: String(port) } });
  const isTaken = await new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve((socket.destroy(), true)));
    socket.on('error', () => resolve(false));
  });
  expect(isTaken).toBe(false);
});

/** A feature, and the first one that needs it. */
const [needed, first] = all.flatMap(({ name, needs }) =>
  needs.flatMap((one) => (one.isRequired ? [] : [[one.name, name] as const])),
)[0]!;

const choices = all.flatMap(({ name, isRequired }) => (isRequired ? [] : [`-${name}`])).join(', ');
const takes = `It takes the features to switch off, joined by commas: ${choices}`;

describe('CUBBY_FEATURES', () => {
  it('takes features to switch off', () => {
    expect([...parseConfig({ CUBBY_FEATURES: ' -chat , -devices' }).featuresOff]).toEqual(['chat', 'devices']);
  });

  it.each([
    ['chat', `CUBBY_FEATURES has "chat". ${takes}`],
    ['-chats', `CUBBY_FEATURES has "-chats". ${takes}`],
    ['-files', 'CUBBY_FEATURES has "-files". Cubby does not work without files.'],
    [`-${needed}`, `CUBBY_FEATURES switches off ${needed}, which ${first} needs. Switch off ${first} too: -${first}.`],
  ])('refuses %s', (value, problem) => {
    expect(() => parseConfig({ CUBBY_FEATURES: value })).toThrow(problem);
  });
});
