import type { UploadToken } from '#server/domain/access/upload-token.ts';
import { tokenTables } from '#server/feature-parts.ts';
import type { UploadTokensTable } from '#server/domain/access/upload-tokens-table.ts';
import { type Fields, json, record, snakeCase } from './columns.ts';
import { table, type Rows, type TableContext, where } from './rows.ts';

const fields: Fields<UploadToken> = {
  id: 'token_id',
  accountId: 'account_id',
  keyId: 'key_id',
  pins: json('pins'),
  ...snakeCase('createdAt', 'expiresAt', 'endedAt', 'maxUses', 'usesLeft'),
};

const tokens = table('upload_tokens', record<UploadToken>(fields));
const newTokens = table('upload_tokens', record<UploadToken & { hash: Uint8Array }>({ ...fields, hash: 'hash' }));

export function uploadTokensTable(rows: Rows, { owner }: Pick<TableContext, 'owner'>): UploadTokensTable {
  /** Changes a token that meets the condition `which`. Returns whether it did. */
  const set = async (change: string, tokenId: string, which = 'TRUE') =>
    (await rows.run(`UPDATE upload_tokens SET ${change} WHERE token_id = ? AND ${which}`, tokenId)) === 1;

  /** Takes one of the uses that this process has reserved. Returns whether there was one. */
  const takeReserved = async (tokenId: string) =>
    (await rows.run(
      'UPDATE reserved_token_uses SET uses = uses - 1 WHERE token_id = ? AND owner = ? AND uses > 0',
      tokenId,
      owner,
    )) === 1;

  return {
    findByHash: async (hash) => rows.one(tokens, where('hash'), hash),
    find: async (tokenId) => rows.one(tokens, where('token_id'), tokenId),
    async add(token, hash) {
      await rows.insert(newTokens, { ...token, hash });
    },
    spend: async (tokenId) => set('uses_left = uses_left - 1', tokenId, 'uses_left > 0'),
    async reserve(tokenId) {
      if (!(await set('uses_left = uses_left - 1', tokenId, 'uses_left > 0'))) return false;
      await rows.write(
        `INSERT INTO reserved_token_uses (token_id, owner, uses) VALUES (?, ?, 1)
         ON CONFLICT (token_id, owner) DO UPDATE SET uses = reserved_token_uses.uses + 1`,
        tokenId,
        owner,
      );
      return true;
    },
    spendReserved: takeReserved,
    isUsedUp: async (tokenId) =>
      (await rows.value<number>(
        `SELECT 1 FROM upload_tokens WHERE token_id = ? AND uses_left = 0 AND NOT EXISTS (
           SELECT 1 FROM reserved_token_uses AS reserved
           WHERE reserved.token_id = upload_tokens.token_id AND reserved.uses > 0)`,
        tokenId,
      )) === 1,
    async returnReserved(tokenId) {
      if (await takeReserved(tokenId)) await set('uses_left = uses_left + 1', tokenId);
    },
    async endThoseOf(keyId, now) {
      await rows.write('UPDATE upload_tokens SET ended_at = ? WHERE key_id = ? AND ended_at IS NULL', now, keyId);
    },
    async forgetExpiredBefore(instant, limit) {
      const unopened = tokenTables.map(
        (of) => `NOT EXISTS (SELECT 1 FROM ${of} AS opened WHERE opened.token_id = upload_tokens.token_id)`,
      );
      return rows.removeSome(
        'upload_tokens',
        'token_id',
        ['expires_at < ?', ...unopened].join(' AND '),
        instant,
        limit,
      );
    },
    returnAllReserved: async (of) => returnAllReserved(rows, of),
  };
}

async function returnAllReserved(rows: Rows, of: string | undefined): Promise<number> {
  const which = of === undefined ? 'TRUE' : 'owner = ?1';
  const values = of === undefined ? [] : [of];
  const uses = await rows.value<number>(
    `SELECT coalesce(sum(uses), 0) FROM reserved_token_uses WHERE ${which}`,
    ...values,
  );
  if (uses! > 0)
    await rows.write(
      `UPDATE upload_tokens SET uses_left = uses_left + (
         SELECT sum(uses) FROM reserved_token_uses AS reserved
         WHERE reserved.token_id = upload_tokens.token_id AND ${which}
       ) WHERE token_id IN (SELECT token_id FROM reserved_token_uses WHERE ${which})`,
      ...values,
    );
  await rows.write(`DELETE FROM reserved_token_uses WHERE ${which}`, ...values);
  return uses!;
}
