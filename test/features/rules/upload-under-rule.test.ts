import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { systemActor } from '#server/domain/activity/activity.ts';
import type { Account } from '#server/domain/account/account.ts';
import type { IncomingFile } from '#server/domain/incoming-file.ts';
import { checkUpload, uploadObject } from '#server/features/files/upload/upload-object.ts';
import type { UploadOptions } from '#server/features/files/upload/upload-options.ts';
import type { Rule } from '#server/features/rules/rule.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { ruleWith, saveRules } from './rules.ts';

const noOptions: UploadOptions = {
  name: 'photo',
  prefix: 'invoices',
  isPrivate: undefined,
  securityHash: undefined,
  expire: undefined,
  overwrite: undefined,
  disposition: undefined,
  cacheControl: undefined,
  metadata: undefined,
};

interface Change {
  readonly options?: Partial<UploadOptions>;
  readonly file?: Partial<IncomingFile>;
  readonly size?: number;
}

/** Uploads a file. Its `announcedBytes` is the size that its headers announce. */
async function upload(stores: TestStores, account: Account, { options = {}, file = {}, size = 1000 }: Change = {}) {
  const source = async function* () {
    for (let left = size; left > 0; left -= 65_536) yield randomBytes(Math.min(left, 65_536));
  };
  const incoming = {
    filename: 'photo.png',
    mimeType: 'image/png',
    announcedBytes: size,
    bytes: source(),
    finished: async () => {},
    ...file,
  };
  return uploadObject(stores, {
    caller: { ...(await stores.caller(account)), account },
    fields: checkUpload({ ...noOptions, ...options }, incoming, undefined),
    checksumSha256: undefined,
    file: incoming,
    signal: new AbortController().signal,
    actor: systemActor,
  });
}

async function start(...rules: readonly Partial<Rule>[]) {
  const stores = await openTestStores();
  const account = await stores.account();
  await saveRules(stores, account.id, ...rules.map(ruleWith));
  return { stores, account, send: (change: Change = {}, as = account) => upload(stores, as, change) };
}

const unread: Partial<IncomingFile> = {
  bytes: (async function* (): AsyncGenerator<Uint8Array> {
    expect.unreachable('the file was read');
    yield Buffer.alloc(0);
  })(),
};

describe('uploadObject() under a prefix rule', () => {
  it('uses the defaults of the rule for options that the upload does not set', async () => {
    const { stores, send } = await start({ isPrivate: true, expire: { hours: 720 }, cacheControl: 'max-age=60' });
    const { object } = await send();
    expect(object).toMatchObject({
      space: 'private',
      key: expect.stringMatching(/^invoices\/photo_[a-z2-7]{16}-ex30\.png$/),
      cacheControl: 'max-age=60',
      expiresAt: stores.clock.now() + 30 * 86_400_000,
    });
  });

  it('prefers the options of the upload to those of the rule', async () => {
    const { stores, send } = await start({ isPrivate: true, expire: { hours: 720 }, cacheControl: 'max-age=60' });
    const { object } = await send({ options: { isPrivate: false, expire: '7d', cacheControl: 'immutable' } });
    expect(object).toMatchObject({
      space: 'public',
      key: 'invoices/photo-ex7.png',
      cacheControl: 'immutable',
      expiresAt: stores.clock.now() + 7 * 86_400_000,
    });
  });

  it('applies the rule with the longest prefix as a whole, and none to other prefixes and the root', async () => {
    const { send } = await start(
      { cacheControl: 'max-age=60', expire: { hours: 720 } },
      { prefix: 'invoices/2026/', cacheControl: 'max-age=61' },
    );
    const cacheOf = async (prefix: string | undefined) => (await send({ options: { prefix } })).object.cacheControl;
    expect(await cacheOf('invoices')).toBe('max-age=60');
    expect(await cacheOf('invoices/2025')).toBe('max-age=60');
    expect((await send({ options: { prefix: 'invoices/2026/q1' } })).object).toMatchObject({
      cacheControl: 'max-age=61',
      expiresAt: null,
    });
    for (const prefix of ['invoices-2026', 'invoice', undefined]) expect(await cacheOf(prefix)).toBeNull();
  });

  it('ignores the rules of other accounts', async () => {
    const { stores, send } = await start({ extensions: ['pdf'] });
    expect((await send({}, await stores.account())).object.key).toBe('invoices/photo.png');
  });

  it('throws FILE_TYPE_NOT_ALLOWED with the prefix, and reads nothing, for another extension', async () => {
    const { send } = await start({ extensions: ['pdf', 'gz'] });
    await expect(send({ file: unread })).rejects.toMatchObject({
      code: 'FILE_TYPE_NOT_ALLOWED',
      prefix: 'invoices/',
      message: expect.stringContaining('pdf, gz'),
    });
    for (const filename of ['a.pdf', 'A.PDF', 'a.tar.gz', 'a.gz']) await send({ file: { filename } });
  });

  it('throws FILE_TOO_LARGE with the prefix, and reads nothing, when the headers announce too much', async () => {
    const { send } = await start({ maxSizeBytes: 20_000 });
    await expect(send({ file: { ...unread, announcedBytes: 20_001 } })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      prefix: 'invoices/',
    });
    expect((await send({ file: { announcedBytes: 20_100, leastBytes: 19_000 }, size: 20_000 })).object.sizeBytes).toBe(
      20_000,
    );
  });

  it.each([
    [1000, 1001],
    [20_000, 20_001],
    [20_000, 400_000],
  ])('accepts %i bytes, and throws FILE_TOO_LARGE with the prefix for %i unannounced ones', async (most, size) => {
    const { stores, account, send } = await start({ maxSizeBytes: most });
    const file = { announcedBytes: undefined };
    await expect(send({ file, size })).rejects.toMatchObject({ code: 'FILE_TOO_LARGE', prefix: 'invoices/' });
    expect(await stores.metadata.read.accounts.find(account.id)).toMatchObject({ usedBytes: 0, reservedBytes: 0 });
    expect((await send({ file, size: most })).object.sizeBytes).toBe(most);
  });

  it('throws FILE_TOO_LARGE without a prefix for the limit of every upload', async () => {
    const { send } = await start({ maxSizeBytes: 10_737_418_240 });
    const refusal = await send({ file: { ...unread, announcedBytes: 104_857_601 } }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'FILE_TOO_LARGE', prefix: undefined });
  });

  it('throws INVALID_OBJECT_SECURITY_HASH with the prefix when a rule makes a file without hash private', async () => {
    const { send } = await start({ isPrivate: true });
    await expect(send({ options: { securityHash: false } })).rejects.toMatchObject({
      code: 'INVALID_OBJECT_SECURITY_HASH',
      prefix: 'invoices/',
      message: expect.stringContaining('rule'),
    });
    expect((await send({ options: { securityHash: false, isPrivate: false } })).object.space).toBe('public');
  });

  it.each<Partial<Rule>>([{ expire: { hours: 6 } }, { cacheControl: 'no-cache' }, { deleteAfterDays: 6 }])(
    'throws UPGRADE_REQUIRED with the prefix once the plan lacks %j, whatever the upload sets',
    async (options) => {
      const { account, send } = await start(options, { prefix: 'other/', maxSizeBytes: 2000 });
      const downgraded = { ...account, plan: 'pro' as const };
      const own = { expire: '30d', cacheControl: 'immutable' };
      for (const change of [{}, { options: own }])
        await expect(send({ ...change, file: unread }, downgraded)).rejects.toMatchObject({
          code: 'UPGRADE_REQUIRED',
          prefix: 'invoices/',
        });
      for (const prefix of ['other', 'invoices2', undefined]) await send({ options: { prefix } }, downgraded);
      await send({}, account);
    },
  );

  it('follows the rules that a plan still includes after a downgrade', async () => {
    const { account, send } = await start({ expire: { hours: 168 }, extensions: ['png'], deleteAfterDays: 7 });
    expect((await send({}, { ...account, plan: 'hobby' })).object.key).toBe('invoices/photo-ex7.png');
  });
});
