import type { Plan } from '#server/domain/plan.ts';
import { mint } from '#test/support/upload-tokens.ts';
import { tooOften, type PairsOf, type Provocation } from './provocation.ts';

/** A token with these wrong options. */
const withBody =
  (body: unknown, plan: Plan = 'enterprise'): Provocation =>
  async ({ server }) =>
    mint(server, await server.account(plan), body);

export const createUploadToken: PairsOf<'createUploadToken'> = {
  INVALID_BODY: withBody([]),
  INVALID_OBJECT_NAME: withBody({ name: '../avatar' }),
  INVALID_OBJECT_PREFIX: withBody({ prefix: 'a//b' }),
  INVALID_OBJECT_PRIVATE: withBody({ private: 'yes' }),
  INVALID_OBJECT_SECURITY_HASH: withBody({ security_hash: false }),
  INVALID_OBJECT_EXPIRE: withBody({ expire: '1y' }),
  INVALID_OBJECT_METADATA: withBody({ metadata: { 'cubby-key': 'reserved' } }),
  INVALID_CALLBACK_METADATA: withBody({ callback_metadata: { 'cubby-key': 'reserved' } }),
  INVALID_MAX_SIZE: withBody({ max_size: 511 }),
  INVALID_ALLOWED_EXTENSIONS: withBody({ allowed_extensions: ['.png'] }),
  INVALID_ALLOWED_ORIGINS: withBody({ allowed_origins: ['https://app.example/page'] }),
  INVALID_EXPIRES_IN: withBody({ expires_in: 59 }),
  INVALID_MAX_USES: withBody({ max_uses: 101 }),
  UPLOAD_TOKEN_TOO_LARGE: withBody({
    allowed_origins: Array.from(
      { length: 10 },
      (_, at) => `https://${`${at}`.repeat(60)}.${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}`,
    ),
  }),

  ACCESS_DENIED: ({ server }) => mint(server, { credential: 'cbk_unknown' }),
  PERMISSION_DENIED: withBody({}, 'none'),
  UPGRADE_REQUIRED: withBody({ metadata: { customer: 'acme' } }, 'hobby'),
  async MISSING_SCOPE({ server }) {
    return mint(server, { credential: await server.key(await server.account(), { scopes: ['blob:read'] }) });
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    return mint(
      server,
      { credential: await server.key(await server.account(), { scopes: ['blob:write'], prefixes: ['invoices'] }) },
      { prefix: 'photos' },
    );
  },

  BODY_TOO_LARGE: withBody({ padding: ' '.repeat(1_048_576) }),
  RATE_LIMITED: tooOften((server, account) => mint(server, account)),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    // The first use of a key is written as well.
    await mint(server, account);
    return faults.unexpected('atomically', () => mint(server, account));
  },
};
