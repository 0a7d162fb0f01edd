import { createSecretKey, randomBytes } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import { authenticate } from '#server/domain/access/authenticate.ts';
import { createKey } from '#server/domain/access/create-key.ts';
import { newCredential } from '#server/domain/access/credential.ts';
import { isSameText } from '#server/features/deploys/delivery.ts';
import { isSignatureOf, signatureOf } from '#server/signature-v4/canonical.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { compare, type Timing } from './welch.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const count = isLong ? 200_000 : 2_000;

/** Measures several times, because one difference may be chance on a busy machine. A difference each time is a leak. */
async function leastOf(measure: () => Promise<Timing>): Promise<Timing> {
  const all: Timing[] = [];
  for (let times = 0; times < 3; times++) all.push(await measure());
  return all.reduce((least, one) => (Math.abs(one.t) < Math.abs(least.t) ? one : least));
}

/** Bounds the statistic for many samples. For few samples it only checks that no input takes twice as long. */
function expectAlike({ t, ratio }: Timing): void {
  expect(ratio).toBeLessThan(isLong ? 1.05 : 2);
  if (isLong) expect(Math.abs(t)).toBeLessThan(4.5);
}

const characters = [...'0123456789abcdefABCDEF'];

/**
 * Returns a function that picks a copy of one of the texts. Each is in memory like a text from the network, because a
 * concatenated text is read more slowly.
 */
function oneOf(texts: readonly string[]): () => string {
  const plain = texts.map((text) => Buffer.from(text).toString());
  let next = 0;
  return () => plain[next++ % plain.length]!;
}

/** Guesses that differ only in the last character, and guesses that differ from the first. */
function guesses(secret: string, make = (text: string) => text): readonly [() => string, () => string] {
  const others = (right: string | undefined) => characters.filter((character) => character !== right).slice(0, 16);
  const near = others(secret.at(-1)).map((last) => secret.slice(0, -1) + last);
  const far = others(secret[0]).map((first) => first + secret.slice(1));
  return [oneOf(near.map(make)), oneOf(far.map(make))];
}

describe('the time of a check reveals nothing about the secret', { timeout: isLong ? 1_800_000 : 60_000 }, () => {
  let stores: TestStores;
  let secret: string;
  beforeAll(async () => {
    stores = await openTestStores();
    const { id: accountId } = await stores.account();
    // Adds further keys, so that the look-up has something to search.
    for (let key = 0; key < 8; key++) await createKey(stores, { accountId, name: `key ${key}`, scopes: ['*'] });
    const { credential } = await createKey(stores, { accountId, name: 'the key', scopes: ['*'] });
    secret = credential.slice('cbk_'.length, -6);
    return () => stores.close();
  });

  /** Returns a key with a valid checksum. */
  const keyOf = (its: string) => newCredential('apiKey', { ...stores.ids, secretText: () => its });

  it('of an API key', async () => {
    await expect(authenticate(stores, keyOf(secret))).resolves.toBeDefined();
    const check = (key: string) => authenticate(stores, key).catch(() => {});
    expectAlike(await leastOf(() => compare(check, guesses(secret, keyOf), count)));
  });

  it('of the signature of a link', async () => {
    const right = stores.secrets.sign('test', 'text');
    const check = (given: string) => stores.secrets.verify('test', 'text', given);
    expect(check(right)).toBe(true);
    expectAlike(await leastOf(() => compare(check, guesses(right), count)));
  });

  it('of the signature of an S3 request', async () => {
    const key = createSecretKey(randomBytes(32));
    const right = signatureOf(key, 'text');
    const check = (given: string) => isSignatureOf(key, 'text', given);
    expect(check(right)).toBe(true);
    expectAlike(await leastOf(() => compare(check, guesses(right), count)));
  });

  it('of the secret of a git webhook', async () => {
    const right = Buffer.from(randomBytes(32).toString('hex')).toString();
    const check = (given: string) => isSameText(right, given);
    expect(check(right)).toBe(true);
    expectAlike(await leastOf(() => compare(check, guesses(right), count)));
  });
});

describe('compare()', () => {
  it('detects a comparison that stops at the first difference', async () => {
    const right = 'x'.repeat(20_000);
    const stops = (given: string): boolean => {
      for (let at = 0; at < right.length; at++) if (given.charCodeAt(at) !== right.charCodeAt(at)) return false;
      return true;
    };
    const timing = await compare(stops, [() => `${right.slice(0, -1)}y`, () => `y${right.slice(1)}`], 2_000);
    expect(Math.abs(timing.t)).toBeGreaterThan(4.5);
    expect(timing.ratio).toBeGreaterThan(2);
  });
});
