import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exchange, sendWire, textOf, textsOf, type S3Answer } from '#test/s3/exchange.ts';
import { pairOf, startGateway, type Gateway } from '#test/s3/gateway.ts';
import { sign, type Endpoint } from '#test/s3/signed-request.ts';
import { acls } from './acls.ts';
import { addresses } from './addresses.ts';
import { attributes } from './attributes.ts';
import { pathOf, type Case, type Expected } from './case.ts';
import { checksums } from './checksums.ts';
import { conditions } from './conditions.ts';
import { configurations } from './configurations.ts';
import { copies } from './copies.ts';
import { faults } from './faults.ts';
import { forms } from './forms.ts';
import { listRequests } from './list-requests.ts';
import { lists } from './lists.ts';
import { multipartCopies } from './multipart-copies.ts';
import { multipart } from './multipart.ts';
import { objectSums } from './object-sums.ts';
import { objects } from './objects.ts';
import { oddKeys } from './odd-keys.ts';
import { requests } from './requests.ts';

/*
 * The behaviours of S3's documentation that apply to a gateway with three fixed buckets: a few hundred cases. Each case
 * that writes has an account of its own.
 */

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

describe.concurrent.each([
  ['lists', [...lists, ...listRequests]],
  ['objects', [...objects, ...objectSums]],
  ['copies', copies],
  ['multipart uploads', [...multipart, ...multipartCopies]],
  ['keys, buckets, batches and signatures', [...requests, ...oddKeys]],
  ['conditions of writing', conditions],
  ['checksums', checksums],
  ['attributes and parts', attributes],
  ['empty, missing or malformed headers', faults],
  ['signed addresses', addresses],
  ['forms', forms],
  ['access control lists', acls],
  ['configurations', configurations],
] as ReadonlyArray<readonly [string, readonly Case[]]>)('S3: %s', (_, cases) => {
  it.each(cases)('$name', async ({ steps, keys }) => {
    const endpoint = await (keys ? endpointWith(keys) : newEndpoint());
    const answers: S3Answer[] = [];
    for (const [at, made] of steps.entries()) {
      const { request, expected, sent = (signed) => signed } = typeof made === 'function' ? made(answers) : made;
      const answer = await sendWire(endpoint, sent(sign(endpoint, request), endpoint));
      expect(
        problemsOf(answer, expected, request.method),
        `step ${at + 1}: ${request.method ?? 'GET'} ${request.path.slice(0, 80)} ` +
          `answered ${answer.status} ${answer.text.slice(0, 400)}`,
      ).toEqual([]);
      answers.push(answer);
    }
  });
});

async function newEndpoint(): Promise<Endpoint> {
  const { credential } = await gateway.server.account('enterprise');
  return pairOf(gateway.server, credential);
}

const shared = new Map<string, Promise<Endpoint>>();

/** Returns an account that has only these files, the same one each time. */
function endpointWith(keys: readonly string[]): Promise<Endpoint> {
  const known = keys.join('\0');
  const endpoint = shared.get(known) ?? fill(newEndpoint(), keys);
  shared.set(known, endpoint);
  return endpoint;
}

async function fill(made: Promise<Endpoint>, keys: readonly string[]): Promise<Endpoint> {
  const endpoint = await made;
  for (const key of keys) {
    const { status, text } = await exchange(endpoint, { method: 'PUT', path: pathOf(key), body: 'x' });
    expect(status, text).toBe(200);
  }
  return endpoint;
}

/** Returns every difference between a response and the expected one. */
function problemsOf(
  answer: S3Answer,
  { status, code, headers = {}, body, texts = {} }: Expected,
  method: string | undefined,
): string[] {
  const problems: string[] = [];
  const differs = (what: string, wanted: string | RegExp | null, found: string | undefined) => {
    const fits =
      wanted === null ? found === undefined : wanted instanceof RegExp ? wanted.test(found ?? '') : wanted === found;
    if (!fits) problems.push(`${what}: wanted ${wanted}, found ${found}`);
  };
  if (![status].flat().includes(answer.status)) problems.push(`status: wanted ${status}, found ${answer.status}`);
  if (!answer.headers['x-amz-request-id']) problems.push('no x-amz-request-id');
  if (answer.status >= 400 && method !== 'HEAD') problems.push(...errorProblems(answer));
  if (code !== undefined && method !== 'HEAD') differs('Code', code, textOf(answer.text, 'Code'));
  for (const [name, wanted] of Object.entries(headers)) differs(name, wanted, answer.headers[name]);
  if (body !== undefined && answer.text !== body)
    problems.push(`body: wanted ${body.slice(0, 60)}, found ${answer.text.slice(0, 60)}`);
  for (const [tag, wanted] of Object.entries(texts)) {
    const found = textsOf(answer.text, tag);
    if (found.length !== wanted.length)
      problems.push(`${tag}: wanted ${wanted.length}, found ${found.length}: ${found.join(' ')}`);
    else wanted.forEach((one, at) => differs(`${tag} ${at + 1}`, one, found[at]));
  }
  return problems;
}

/** Every error must have all its elements, because clients crash on an empty message. */
function errorProblems({ status, headers, text }: S3Answer): string[] {
  const problems = ['Code', 'Message', 'RequestId']
    .filter((tag) => !textOf(text, tag))
    .map((tag) => `the error has no ${tag}`);
  if (textOf(text, 'RequestId') !== headers['x-amz-request-id'])
    problems.push('the RequestId is not that of the header');
  if (status === 500) problems.push('a fault');
  return problems;
}
