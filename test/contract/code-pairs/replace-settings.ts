import type { Plan } from '#server/domain/plan.ts';
import type { TestAnswer, TestServer } from '#test/support/server.ts';
import { tooOften, type PairsOf, type Provocation } from './provocation.ts';

function replace(server: TestServer, credential: string, body: unknown): Promise<TestAnswer> {
  return server.send('/v1/account/settings', { method: 'PUT', credential, body: JSON.stringify(body) });
}

function withBody(body: unknown, plan?: Plan): Provocation {
  return async ({ server }) => replace(server, (await server.account(plan)).credential, body);
}

/** A list with one wrong rule. */
function withRule(rule: object, plan?: Plan): Provocation {
  return withBody({ rules: [{ prefix: 'invoices', ...rule }] }, plan);
}

export const replaceSettings: PairsOf<'replaceSettings'> = {
  INVALID_BODY: withBody([]),
  NOTHING_TO_UPDATE: withBody({}),
  INVALID_RULES: withBody({ rules: {} }),
  INVALID_IMAGE_PRESETS: withBody({ image_presets: [{ name: 'Thumb', w: 320 }] }),
  TOO_MANY_RULES: withBody({ rules: Array.from({ length: 6 }, (_, at) => ({ prefix: `folder${at}` })) }, 'hobby'),
  INVALID_RULE_PREFIX: withRule({ prefix: 'invoices//2026' }),
  DUPLICATE_RULE_PREFIX: withBody({ rules: [{ prefix: 'invoices' }, { prefix: 'invoices/' }] }),
  INVALID_RULE_PRIVATE: withRule({ private: 'yes' }),
  INVALID_RULE_EXPIRE: withRule({ expire: '9999d' }),
  INVALID_RULE_MAX_SIZE: withRule({ max_size: 511 }),
  INVALID_RULE_EXTENSIONS: withRule({ extensions: ['.pdf'] }),
  INVALID_RULE_CACHE_CONTROL: withRule({ cache_control: 'max-age=59' }),
  INVALID_RULE_DELETE_AFTER: withRule({ delete_after_days: 3651 }),
  INVALID_RULE_KEEP_VERSIONS: withRule({ keep_versions: 5 }),
  INVALID_RULE_KEEP_DELETED: withRule({ keep_deleted_days: 366 }),
  INVALID_KEEP_DELETED: withBody({ keep_deleted_days: 366 }),
  BODY_TOO_LARGE: withBody({ rules: [], padding: ' '.repeat(1_048_576) }),

  ACCESS_DENIED: ({ server }) => replace(server, 'cbk_unknown', { rules: [] }),
  PERMISSION_DENIED: withBody({ rules: [] }, 'none'),
  UPGRADE_REQUIRED: withRule({ delete_after_days: 6 }, 'pro'),
  async MISSING_SCOPE({ server }) {
    return replace(server, await server.key(await server.account(), { scopes: ['blob:read'] }), { rules: [] });
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    return replace(
      server,
      await server.key(await server.account(), { scopes: ['blob:write'], prefixes: ['invoices'] }),
      { rules: [] },
    );
  },

  RATE_LIMITED: tooOften((server, { credential }) => replace(server, credential, { rules: [] })),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { credential } = await server.account();
    // By then the key's first use is recorded.
    await replace(server, credential, { rules: [] });
    return faults.unexpected('atomically', () => replace(server, credential, { rules: [] }));
  },
};
