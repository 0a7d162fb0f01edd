import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import { systemActor } from '#server/domain/activity/activity.ts';
import { copyObject } from '#server/features/files/copy/copy-object.ts';
import { readDestination } from '#server/features/files/copy/copy-destination.ts';
import { deleteObjects } from '#server/features/files/deletion/delete-objects.ts';
import { parseObjectId } from '#server/domain/object-id.ts';
import { checkUpload, uploadObject } from '#server/features/files/upload/upload-object.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { listTrash } from '#server/features/trash/list-trash.ts';
import { purgeTrash } from '#server/features/trash/purge-trash.ts';
import { purgeVersions } from '#server/features/trash/purge-versions.ts';
import { restoreVersions } from '#server/features/trash/restore-versions.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { ruleWith, saveRules } from '#test/features/rules/rules.ts';

const day = 86_400_000;

const unset = {
  isPrivate: undefined,
  securityHash: undefined,
  expire: undefined,
  disposition: undefined,
  cacheControl: undefined,
  metadata: undefined,
};
const names = ['kept/a', 'kept/b', 'kept/few/a', 'kept/off/a', 'other/a'] as const;

/** The versions that the trash keeps of each file below `kept/few/`. */
const few = 2;
const name = fc.constantFrom(...names);

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('upload' as const), name, size: fc.integer({ min: 512, max: 600 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), name, keepDays: fc.constantFrom(0, 10, 60) }),
  },
  fc.record({ kind: fc.constant('copy' as const), name, to: name, move: fc.boolean() }),
  fc.record({ kind: fc.constant('restore' as const), which: fc.nat(9), overwrite: fc.boolean() }),
  fc.record({ kind: fc.constant('purge' as const), which: fc.nat(9), mayPurgeKept: fc.boolean() }),
  fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 20 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Bytes {
  readonly etag: string;
  readonly size: number;
}

interface Kept extends Bytes {
  readonly name: string;
  readonly reason: 'deleted' | 'replaced';
  /** 0 if the rule does not keep it. */
  readonly ruleUntil: number;
  /** 0 if no request keeps it. */
  readonly requestedUntil: number;
}

const purgeAtOf = ({ ruleUntil, requestedUntil }: Kept) => Math.max(ruleUntil, requestedUntil);

/** The trash as it is documented: files by name, and what was deleted or replaced, newest last. */
class Model {
  readonly files = new Map<string, Bytes>();
  kept: Kept[] = [];

  retire(name: string, reason: Kept['reason'], now: number, keepDays = 0): void {
    const file = this.files.get(name);
    const isRuled = name.startsWith('kept/') && !name.startsWith('kept/off/');
    const until = (days: number) => (days === 0 ? 0 : now + days * day);
    const kept = { ...file!, name, reason, ruleUntil: until(isRuled ? 30 : 0), requestedUntil: until(keepDays) };
    if (file && purgeAtOf(kept) > 0) this.kept.push(kept);
    // Those that no rule keeps are not counted.
    const counted = this.kept.filter((one) => one.name === name && one.ruleUntil > now);
    const beyond = name.startsWith('kept/few/') ? counted.slice(0, -few) : [];
    this.kept = this.kept.flatMap((one) => {
      if (!beyond.includes(one)) return [one];
      return one.requestedUntil > now ? [{ ...one, ruleUntil: 0 }] : [];
    });
    this.files.delete(name);
  }

  get bytes(): number {
    return [...this.files.values(), ...this.kept].reduce((sum, { size }) => sum + size, 0);
  }
}

const idOf = (accountId: string, name: string) => `pub/${accountId}/${name}.txt`;

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

class World {
  readonly model = new Model();
  readonly stores: TestStores;
  readonly accountId: string;
  #uploads = 0;

  constructor(stores: TestStores, accountId: string) {
    this.stores = stores;
    this.accountId = accountId;
  }

  async run(step: Step): Promise<void> {
    const { stores, model } = this;
    const now = stores.clock.now();
    switch (step.kind) {
      case 'upload': {
        const [, prefix, file] = /^(.*)\/(.*)$/.exec(step.name)!;
        const bytes = Buffer.alloc(step.size, `${(this.#uploads += 1)} `);
        await this.upload(file!, prefix, bytes);
        model.retire(step.name, 'replaced', now);
        model.files.set(step.name, { etag: createHash('md5').update(bytes).digest('hex'), size: bytes.length });
        return;
      }
      case 'delete':
        await deleteObjects(stores, {
          accountId: this.accountId,
          addresses: [parseObjectId(idOf(this.accountId, step.name), this.accountId)],
          keepDays: step.keepDays,
          actor: systemActor,
        });
        return model.retire(step.name, 'deleted', now, step.keepDays);
      case 'copy':
        return this.copy(step, now);
      case 'restore':
        return this.restore(step, now);
      case 'purge': {
        const kept = model.kept[step.which % (model.kept.length || 1)];
        if (!kept) return;
        const versionIds = [await this.versionOf(kept)];
        const { mayPurgeKept } = step;
        const by = { accountId: this.accountId, prefixes: null, mayPurgeKept, actor: systemActor };
        const code = await codeOf(purgeVersions(stores, { ...by, versionIds }));
        const isKeptByRequest = kept.requestedUntil > now && !mayPurgeKept;
        expect(code).toBe(isKeptByRequest ? 'VERSION_KEPT' : undefined);
        if (isKeptByRequest) return;
        model.kept = model.kept.filter((one) => one !== kept);
        return;
      }
      case 'wait':
        stores.clock.advance(step.days * day);
        model.kept = model.kept.filter((one) => purgeAtOf(one) > stores.clock.now());
        await purgeTrash(stores, stores.clock.now());
    }
  }

  async upload(name: string, prefix: string | undefined, bytes: Buffer): Promise<void> {
    const file = {
      filename: 'a.txt',
      mimeType: '',
      announcedBytes: bytes.length,
      bytes: (async function* () {
        yield bytes;
      })(),
      finished: async () => {},
    };
    const options = { name, prefix, overwrite: true, ...unset };
    await uploadObject(this.stores, {
      caller: await this.stores.caller({ id: this.accountId }),
      fields: checkUpload(options, file, undefined),
      checksumSha256: undefined,
      file,
      signal: new AbortController().signal,
      actor: systemActor,
    });
  }

  async copy({ name, to, move }: Step & { kind: 'copy' }, now: number): Promise<void> {
    const source = parseObjectId(idOf(this.accountId, name), this.accountId);
    const [, prefix, file] = /^(.*)\/(.*)$/.exec(to)!;
    const destination = readDestination(source, {
      name: file!,
      prefix,
      isPrivate: undefined,
      expire: undefined,
      securityHash: undefined,
    });
    const { account } = await this.stores.caller({ id: this.accountId });
    const deps = { ...this.stores, cdn: { purge: async () => {} }, publicUrl: () => null };
    const code = await codeOf(
      copyObject(deps, { account, source, destination, move, overwrite: true, actor: systemActor }),
    );
    const moved = this.model.files.get(name);
    expect(code).toBe(!moved ? 'OBJECT_NOT_FOUND' : name === to ? 'SAME_OBJECT' : undefined);
    if (!moved || name === to) return;
    this.model.retire(to, 'replaced', now);
    this.model.files.set(to, moved);
    // A move leaves nothing behind.
    if (move) this.model.files.delete(name);
  }

  async restore({ which, overwrite }: Step & { kind: 'restore' }, now: number): Promise<void> {
    const { model } = this;
    const kept = model.kept[which % (model.kept.length || 1)];
    if (!kept) return;
    const versionIds = [await this.versionOf(kept)];
    const view = { accountId: this.accountId, prefixes: null };
    const code = await codeOf(
      restoreVersions(this.stores, { ...view, versionIds, mayReplace: overwrite, actor: systemActor }),
    );
    const isTaken = model.files.has(kept.name) && !overwrite;
    expect(code).toBe(isTaken ? 'OBJECT_ALREADY_EXISTS' : undefined);
    if (isTaken) return;
    model.kept = model.kept.filter((one) => one !== kept);
    model.retire(kept.name, 'replaced', now);
    model.files.set(kept.name, { etag: kept.etag, size: kept.size });
  }

  /** Uploads and restores give each version bytes of its own, but copies share them. */
  async versionOf(kept: Kept): Promise<string> {
    const index = this.model.kept.filter(({ name }) => name === kept.name).indexOf(kept);
    const ofName = (await this.listed()).filter(({ key }) => key === `${kept.name}.txt`);
    return ofName.toReversed()[index]!.versionId;
  }

  async listed() {
    return (await listTrash(this.stores, { accountId: this.accountId, prefix: '', limit: 1000, cursor: undefined }))
      .versions;
  }

  async compare(): Promise<void> {
    const { stores, model, accountId } = this;
    const scan = { accountId, space: 'public', prefix: '', limit: 1000 } as const;
    const files = await stores.metadata.read.objects.scan(scan);
    expect(Object.fromEntries(files.map(({ key, etag }) => [key, etag]))).toEqual(
      Object.fromEntries([...model.files].map(([name, { etag }]) => [`${name}.txt`, etag])),
    );
    const inOrder = model.kept
      .toReversed()
      .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
      .map((one) => ({ key: `${one.name}.txt`, etag: one.etag, reason: one.reason, purgeAt: purgeAtOf(one) }));
    const listed = await this.listed();
    expect(listed.map(({ key, etag, reason, purgeAt }) => ({ key, etag, reason, purgeAt }))).toEqual(inOrder);
    const account = await stores.metadata.read.accounts.usageOf(accountId, 0);
    expect(account).toMatchObject({
      usedBytes: model.bytes,
      usedObjects: model.files.size,
      trashBytes: model.kept.reduce((sum, { size }) => sum + size, 0),
      trashObjects: model.kept.length,
    });
  }
}

it('the trash behaves like its model, and every counter is exact', async () => {
  const stores = await openTestStores();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const { id } = await stores.account();
      const rules = [
        ruleWith({ prefix: 'kept/', keepDeletedDays: 30 }),
        ruleWith({ prefix: 'kept/off/' }),
        ruleWith({ prefix: 'kept/few/', keepDeletedDays: 30, keepVersions: few }),
      ];
      await saveRules(stores, id, ...rules);
      const world = new World(stores, id);
      for (const one of steps) {
        // Each step has an instant of its own, so that versions have an order.
        stores.clock.advance(1);
        await world.run(one);
        await world.compare();
      }
    }),
    { numRuns: process.env.CUBBY_TEST_LONG === '1' ? 200 : 20 },
  );
  expect(await stores.metadata.read.storeCheck.differences()).toEqual([]);
  expect(await stores.metadata.read.storeCheck.unusedContents()).toEqual([]);
});
