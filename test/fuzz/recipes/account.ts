import { draftOf } from '../contract-draft.ts';
import type { Recipe } from '../world.ts';

export const account: Readonly<Record<string, Recipe>> = {
  getS3Credentials: (world) => {
    // The approval page's sign-in works too.
    const { browser, random } = world;
    if (!browser.isSignedIn || random.chance(0.5)) return draftOf(world, 'getS3Credentials');
    return draftOf(world, 'getS3Credentials', { headers: { Cookie: browser.cookieHeader() }, credential: undefined });
  },
  replaceSettings: (world) => {
    const prefixes = ['rules/a/', 'rules/b/', 'rules/c/', 'docs/x/'].slice(0, world.random.below(5));
    const rules = prefixes.map((prefix) => ({
      prefix,
      ...world.pick<object>(
        { private: true },
        { expire: '30d' },
        { max_size: 1_000_000 },
        { cache_control: 'no-cache' },
        { keep_deleted_days: 30 },
        { keep_deleted_days: 30, keep_versions: 2 },
      ),
    }));
    return world.random.chance(0.3)
      ? draftOf(world, 'replaceSettings')
      : draftOf(world, 'replaceSettings', { fields: { rules, image_presets: undefined } });
  },
  createKey: (world) => {
    const keys = world.pool.all('keyId');
    // An account has ten keys at most.
    if (keys.length >= 7) return account.revokeKey!(world);
    return draftOf(world, 'createKey', {
      fields: {
        scopes: world.pick<unknown>(['*'], ['blob:read'], ['blob:read', 'blob:write']),
        resources: undefined,
        prefixes: world.pick(undefined, undefined, ['docs/']),
        ai: world.pick<unknown>(undefined, undefined, { requests_per_day: 1000 }),
      },
    });
  },
  revokeKey: (world) => {
    const id = world.some('keyId');
    return id === undefined ? account.createKey!(world) : draftOf(world, 'revokeKey', { path: { id } });
  },
  updateKey: (world) => {
    const id = world.some('keyId');
    const ai = world.pick<unknown>(null, { requests_per_day: 1000 }, { tokens_per_day: null, models: ['cubic'] });
    return id === undefined ? account.createKey!(world) : draftOf(world, 'updateKey', { path: { id }, fields: { ai } });
  },
  regenerateKey: (world) => {
    const id = world.some('keyId');
    return id === undefined ? account.createKey!(world) : draftOf(world, 'regenerateKey', { path: { id } });
  },
  getUsageHistory: (world) =>
    draftOf(world, 'getUsageHistory', { query: { from: undefined, to: world.pick(undefined, '2026-04-21') } }),
  listActivity: (world) =>
    draftOf(world, 'listActivity', {
      query: {
        limit: world.pick(undefined, 1, 3, 100),
        cursor: world.random.chance(0.4) ? world.some('activityCursor') : undefined,
        continuationToken: undefined,
      },
    }),
};
