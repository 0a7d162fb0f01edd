import type { UploadToken } from '#server/domain/access/upload-token.ts';
import type { UploadTokensTable } from '#server/domain/access/upload-tokens-table.ts';
import { json, record, type Fields } from './columns.ts';
import { table, type Rows } from './rows.ts';

const fields: Fields<UploadToken> = {
  id: 'token_id',
  accountId: 'account_id',
  keyId: 'key_id',
  pins: json('pins'),
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  endedAt: 'ended_at',
  maxUses: 'max_uses',
  usesLeft: 'uses_left',
};

const tokens = table('upload_tokens', record<UploadToken>(fields));
const newTokens = table('upload_tokens', record<UploadToken & { hash: Uint8Array }>({ ...fields, hash: 'hash' }));

export function uploadTokensTable(rows: Rows): UploadTokensTable {
  /** Changes a token that meets the condition `which`. Returns whether it did. */
  const set = async (change: string, tokenId: string, which = 'TRUE') =>
    (await rows.run(`UPDATE upload_tokens SET ${change} WHERE token_id = ? AND ${which}`, tokenId)) === 1;

  return {
    findByHash: async (hash) => rows.one(tokens, 'WHERE hash = ?', hash),
    find: async (tokenId) => rows.one(tokens, 'WHERE token_id = ?', tokenId),
    async add(token, hash) {
      await rows.insert(newTokens, { ...token, hash });
    },
    spend: async (tokenId) => set('uses_left = uses_left - 1', tokenId, 'uses_left > 0'),
    hold: async (tokenId) => set('uses_left = uses_left - 1, uses_held = uses_held + 1', tokenId, 'uses_left > 0'),
    async keepHeld(tokenId) {
      await set('uses_held = uses_held - 1', tokenId);
    },
    async returnHeld(tokenId) {
      await set('uses_held = uses_held - 1, uses_left = uses_left + 1', tokenId, 'uses_held > 0');
    },
    async endThoseOf(keyId, now) {
      await rows.run('UPDATE upload_tokens SET ended_at = ? WHERE key_id = ? AND ended_at IS NULL', now, keyId);
    },
    async forgetExpiredBefore(instant, limit) {
      const isOpener = 'token_id IN (SELECT token_id FROM chunked_uploads WHERE token_id IS NOT NULL)';
      return rows.removeSome('upload_tokens', 'token_id', `expires_at < ? AND NOT ${isOpener}`, instant, limit);
    },
    async returnAllHeld() {
      const uses = (await rows.value<number>('SELECT coalesce(sum(uses_held), 0) FROM upload_tokens'))!;
      if (uses > 0)
        await rows.run('UPDATE upload_tokens SET uses_left = uses_left + uses_held, uses_held = 0 WHERE uses_held > 0');
      return uses;
    },
  };
}
