import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemActor } from '#server/domain/activity/activity.ts';
import type { Account } from '#server/domain/account/account.ts';
import { readDestination } from '#server/features/files/copy/copy-destination.ts';
import { copyObject } from '#server/features/files/copy/copy-object.ts';
import { deleteObject } from '#server/features/files/deletion/delete-objects.ts';
import { formatObjectId, parseObjectId } from '#server/domain/object-id.ts';
import { plainList } from '#server/features/files/listing/list-filters.ts';
import { listObjects } from '#server/features/files/listing/list-objects.ts';
import { updateObjects } from '#server/features/files/update/update-objects.ts';
import { checkUpload, uploadObject } from '#server/features/files/upload/upload-object.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { MemoryListPages } from '#server/features/files/stores/memory/list-pages.ts';
import { plainPage, type PlainPage } from '#test/support/list-page.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';

const noCdn = { cdn: { purge: async () => {} }, publicUrl: () => null };

/** The documented properties of a file, without details of storage. */
interface ModelFile {
  readonly etag: string;
  readonly size: number;
  readonly expiresAt: number | null;
  readonly isPrivate: boolean;
  readonly folder: string;
  readonly name: string;
  /** Includes the underscore; '' for none. */
  readonly hash: string;
  /** Includes the hyphen; '' for none. */
  readonly mark: string;
  /** Includes the dot. */
  readonly extension: string;
}

type Expire = '7d' | '10d' | '168h' | null;

const arbitraryExpire = fc.constantFrom<Expire>('7d', '10d', '168h', null);
/**
 * Includes names with a part that looks like an extension, a hash or a mark. No pattern distinguishes these from the
 * parts that the service adds.
 */
const name = fc.constantFrom(
  'a',
  'b',
  'r.v1',
  'r-ex7.v1',
  'r.v1_abcdefghijklmnop.x',
  'my_characterization',
  'my_characterization.v1',
);
const place = { name, prefix: fc.constantFrom(undefined, 'p') };
const arbitraryExtension = fc.constantFrom('.bin', '.gz', '.v1.gz');
const step = fc.oneof(
  fc.record({
    kind: fc.constant('upload'),
    ...place,
    extension: arbitraryExtension,
    isPrivate: fc.boolean(),
    securityHash: fc.constantFrom(undefined, true, false),
    expire: arbitraryExpire,
    overwrite: fc.boolean(),
    size: fc.integer({ min: 512, max: 600 }),
  }),
  fc.record({
    kind: fc.constant('update'),
    which: fc.nat(20),
    isPrivate: fc.constantFrom(undefined, true, false),
    expire: fc.oneof(fc.constant(undefined), arbitraryExpire),
    disposition: fc.constantFrom(undefined, null, 'attachment' as const),
  }),
  fc.record({
    kind: fc.constant('copy'),
    which: fc.nat(20),
    ...place,
    isPrivate: fc.constantFrom(undefined, true, false),
    securityHash: fc.constantFrom(undefined, true, false),
    expire: fc.oneof(fc.constant(undefined), arbitraryExpire),
    overwrite: fc.boolean(),
    move: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('delete'), which: fc.nat(20) }),
  fc.record({ kind: fc.constant('wait'), days: fc.integer({ min: 1, max: 9 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const dayMs = 86_400_000;
const daysOf = (expire: Expire) => (expire === '10d' ? 10 : 7);
const markOf = (expire: Expire) => (expire === null ? '' : `-ex${daysOf(expire)}`);
const idOf = (accountId: string, file: ModelFile) =>
  `${file.isPrivate ? 'prv' : 'pub'}/${accountId}/${file.folder}${file.name}${file.hash}${file.mark}${file.extension}`;

/** The documented service as a plain map. The test runs it beside the real one. */
class World {
  readonly files = new Map<string, ModelFile>();
  readonly stores: TestStores;
  readonly account: Account;
  #uploads = 0;

  constructor(stores: TestStores, account: Account) {
    this.stores = stores;
    this.account = account;
  }

  isVisible(file: ModelFile | undefined): boolean {
    return file !== undefined && (file.expiresAt === null || file.expiresAt > this.stores.clock.now());
  }

  visible(): string[] {
    return [...this.files].filter(([, file]) => this.isVisible(file)).map(([id]) => id);
  }

  expiryOf(expire: Expire): number | null {
    return expire === null ? null : this.stores.clock.now() + daysOf(expire) * dayMs;
  }

  async run(step: Step): Promise<void> {
    switch (step.kind) {
      case 'wait':
        return this.stores.clock.advance((step as { days: number }).days * dayMs);
      case 'upload':
        return this.upload(step as never);
      case 'update':
        return this.onFile(step as never, (id, file, change) => this.update(id, file, change as never));
      case 'copy':
        return this.onFile(step as never, (id, file, change) => this.copy(id, file, change as never));
      case 'delete':
        return this.onFile(step as never, async (id) => {
          await deleteObject(this.stores, { address: parseObjectId(id, this.account.id), actor: systemActor });
          this.files.delete(id);
        });
    }
  }

  async onFile(
    step: { which: number },
    act: (id: string, file: ModelFile, step: object) => Promise<void>,
  ): Promise<void> {
    const ids = this.visible();
    const id = ids[step.which % ids.length];
    if (id !== undefined) await act(id, this.files.get(id)!, step);
  }

  /** The error code, or undefined after success. */
  async outcome<T>(work: Promise<T>): Promise<{ code?: string; value?: T }> {
    try {
      return { value: await work };
    } catch (error) {
      if (error instanceof Refusal) return { code: error.code };
      throw error;
    }
  }

  async upload(wish: {
    name: string;
    prefix?: string;
    extension: string;
    isPrivate: boolean;
    securityHash?: boolean;
    expire: Expire;
    overwrite: boolean;
    size: number;
  }): Promise<void> {
    const bytes = Buffer.alloc(wish.size, `${this.account.id} ${this.#uploads++}`);
    const options = {
      name: wish.name,
      prefix: wish.prefix,
      isPrivate: wish.isPrivate,
      securityHash: wish.securityHash,
      expire: wish.expire ?? undefined,
      overwrite: wish.overwrite,
      disposition: undefined,
      cacheControl: undefined,
      metadata: undefined,
    };
    const file = {
      filename: `x${wish.extension}`,
      mimeType: '',
      announcedBytes: bytes.length,
      bytes: (async function* () {
        yield bytes;
      })(),
      finished: async () => {},
    };
    const upload = async () =>
      uploadObject(this.stores, {
        caller: await this.stores.caller(this.account),
        fields: checkUpload(options, file, undefined),
        checksumSha256: undefined,
        file,
        signal: new AbortController().signal,
        actor: systemActor,
      });
    const { code, value } = await this.outcome(upload());
    const plain: ModelFile = {
      etag: createHash('md5').update(bytes).digest('hex'),
      size: wish.size,
      expiresAt: this.expiryOf(wish.expire),
      isPrivate: wish.isPrivate,
      folder: wish.prefix ? `${wish.prefix}/` : '',
      name: wish.name,
      hash: '',
      mark: markOf(wish.expire),
      extension: wish.extension,
    };
    if (wish.isPrivate && wish.securityHash === false) return expect(code).toBe('INVALID_OBJECT_SECURITY_HASH');
    const isHashed = wish.isPrivate || wish.securityHash === true;
    const isTaken = !isHashed && this.isVisible(this.files.get(idOf(this.account.id, plain)));
    if (isTaken && !wish.overwrite) return expect(code).toBe('OBJECT_ALREADY_EXISTS');
    this.keep(formatObjectId(value!.object), plain, isHashed);
    expect(value!.isReplaced).toBe(isTaken);
  }

  /** Adds a file under the id of the response, which must match the documentation. */
  keep(id: string, plain: ModelFile, isHashed: boolean): void {
    const start = idOf(this.account.id, { ...plain, hash: '', mark: '', extension: '' });
    const hash = isHashed ? id.slice(start.length, start.length + 17) : plain.hash;
    if (isHashed) expect(hash).toMatch(/^_[a-z2-7]{16}$/);
    const file = { ...plain, hash };
    expect(id).toBe(idOf(this.account.id, file));
    this.files.set(id, file);
  }

  async update(
    id: string,
    file: ModelFile,
    { isPrivate, expire, disposition }: { isPrivate?: boolean; expire?: Expire; disposition?: 'attachment' | null },
  ): Promise<void> {
    const { code, value } = await this.outcome(
      updateObjects(
        { ...this.stores, ...noCdn },
        {
          account: this.account,
          addresses: [parseObjectId(id, this.account.id)],
          changes: {
            isPrivate,
            expire,
            disposition,
            cacheControl: undefined,
            metadata: undefined,
            originalName: undefined,
          },
          actor: systemActor,
        },
      ),
    );
    if (isPrivate === undefined && expire === undefined && disposition === undefined)
      return expect(code).toBe('NOTHING_TO_UPDATE');
    const [outcome] = value!;
    if (!outcome!.ok) return expect.unreachable(outcome!.code);
    const changed: ModelFile = {
      ...file,
      ...(isPrivate !== undefined && { isPrivate }),
      ...(expire !== undefined && { mark: markOf(expire), expiresAt: this.expiryOf(expire) }),
    };
    const needsHash = changed.isPrivate && changed.hash === '';
    const wanted = idOf(this.account.id, changed);
    const isTaken = !needsHash && wanted !== id && this.files.has(wanted);
    this.files.delete(id);
    this.keep(formatObjectId(outcome!.object), changed, needsHash || isTaken);
  }

  async copy(
    id: string,
    file: ModelFile,
    wish: {
      name: string;
      prefix?: string;
      isPrivate?: boolean;
      securityHash?: boolean;
      expire?: Expire;
      overwrite: boolean;
      move: boolean;
    },
  ): Promise<void> {
    const { name, prefix, isPrivate: wanted, expire, securityHash, move, overwrite } = wish;
    const source = parseObjectId(id, this.account.id);
    const copy = async () => {
      const destination = readDestination(source, { name, prefix, isPrivate: wanted, expire, securityHash });
      const command = { account: this.account, source, destination, move, overwrite, actor: systemActor };
      return copyObject({ ...this.stores, ...noCdn }, command);
    };
    const { code, value } = await this.outcome(copy());
    const isPrivate = wish.isPrivate ?? file.isPrivate;
    if (isPrivate && wish.securityHash === false) return expect(code).toBe('INVALID_OBJECT_SECURITY_HASH');
    const plain: ModelFile = {
      ...file,
      isPrivate,
      folder: wish.prefix ? `${wish.prefix}/` : '',
      name: wish.name,
      hash: '',
      ...(wish.expire !== undefined && { mark: markOf(wish.expire), expiresAt: this.expiryOf(wish.expire) }),
    };
    const isHashed = isPrivate || wish.securityHash === true;
    const target = idOf(this.account.id, plain);
    if (!isHashed && target === id) return expect(code).toBe('SAME_OBJECT');
    const isTaken = !isHashed && this.isVisible(this.files.get(target));
    if (isTaken && !wish.overwrite) return expect(code).toBe('OBJECT_ALREADY_EXISTS');
    if (wish.move) this.files.delete(id);
    this.keep(formatObjectId(value!.object), plain, isHashed);
    expect(value!.isReplaced).toBe(isTaken);
  }

  /** Checks that the real service lists exactly these files and counts exactly their bytes. */
  async compare(): Promise<void> {
    const page = await listObjects(
      { ...this.stores, pages: new MemoryListPages<PlainPage>() },
      {
        accountId: this.account.id,
        prefix: '',
        isPrivate: undefined,
        delimiter: false,
        ...plainList,
        hasDetails: false,
        limit: 1000,
        cursor: undefined,
      },
      plainPage,
    );
    const shown = page.objects.map((object) => [
      formatObjectId(object),
      object.sizeBytes,
      object.etag,
      object.expiresAt,
    ]);
    const wanted = this.visible().map((id) => [
      id,
      this.files.get(id)!.size,
      this.files.get(id)!.etag,
      this.files.get(id)!.expiresAt,
    ]);
    expect(shown.toSorted()).toEqual(wanted.toSorted());
    const files = [...this.files.values()];
    const { usedBytes, usedObjects, reservedBytes } = (await this.stores.metadata.read.accounts.find(this.account.id))!;
    expect({ usedBytes, usedObjects, reservedBytes }).toEqual({
      usedBytes: files.reduce((sum, { size }) => sum + size, 0),
      usedObjects: files.length,
      reservedBytes: 0,
    });
  }
}

describe('any sequence of uploads, updates, copies, moves, deletions and days', () => {
  let stores: TestStores;
  beforeAll(async () => {
    stores = await openTestStores();
  });
  afterAll(() => stores.close());

  // fast-check prints the seed and the shortest failing sequence.
  it('leaves the documented state, to the byte', async () => {
    const numRuns = process.env.CUBBY_TEST_LONG ? 50_000 : 500;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const world = new World(stores, await stores.account());
        for (const one of steps) await world.run(one);
        await world.compare();
      }),
      { numRuns },
    );
  }, 600_000);
});
