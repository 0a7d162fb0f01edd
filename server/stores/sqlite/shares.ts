import type { DatabaseSync } from 'node:sqlite';

import { spaces } from '#server/domain/objects/object.ts';
import type { Piece } from '#server/domain/shares/download-pieces.ts';
import type { Share } from '#server/domain/shares/share.ts';
import type { OpenDownloads, SharesTable, SpentDownload } from '#server/domain/shares/table.ts';
import { statement } from './connection.ts';

interface ShareRow {
  readonly share_id: string;
  readonly account_id: string;
  readonly space: number;
  readonly key: string;
  readonly incarnation: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly max_downloads: number | null;
  readonly remaining: number | null;
  readonly password_hash: string | null;
  readonly landing: number;
  readonly revoked_at: number | null;
}

function shareOf(row: ShareRow): Share {
  return {
    id: row.share_id,
    object: { accountId: row.account_id, space: spaces[row.space]!, key: row.key },
    incarnation: row.incarnation,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    maxDownloads: row.max_downloads,
    remainingDownloads: row.remaining,
    passwordHash: row.password_hash,
    hasLanding: row.landing === 1,
    revokedAt: row.revoked_at,
  };
}

interface DownloadRow {
  readonly download_id: string;
  readonly share_id: string;
  readonly address: string;
  readonly user_agent: string;
  readonly content_id: string;
  readonly spent_at: number;
  readonly pieces: string;
  readonly resent_bytes: number;
}

function downloadOf(row: DownloadRow): SpentDownload {
  return {
    id: row.download_id,
    shareId: row.share_id,
    downloader: { address: row.address, userAgent: row.user_agent },
    contentId: row.content_id,
    spentAt: row.spent_at,
    pieces: JSON.parse(row.pieces) as Piece[],
    resentBytes: row.resent_bytes,
  };
}

/** Neither revoked nor expired, and the file that it was made for is there. Takes the account, and twice the present. */
const listed = `account_id = ? AND revoked_at IS NULL AND expires_at > ? AND EXISTS (
  SELECT 1 FROM objects WHERE objects.account_id = shares.account_id AND objects.space = shares.space AND objects.key = shares.key
    AND objects.incarnation = shares.incarnation AND (objects.expires_at IS NULL OR objects.expires_at > ?))`;

/** Share links and their downloads, over one connection. */
export class SqliteShares implements SharesTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async find(shareId: string): Promise<Share | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM shares WHERE share_id = ?').get(shareId);
    return row && shareOf(row as unknown as ShareRow);
  }

  async listOf(accountId: string, now: number, limit: number): Promise<Share[]> {
    const chosen = `SELECT * FROM shares WHERE ${listed} ORDER BY remaining IS 0, created_at DESC, share_id DESC LIMIT ?`;
    const rows = statement(this.#db(), `SELECT * FROM (${chosen}) ORDER BY created_at DESC, share_id DESC`).all(accountId, now, now, limit);
    return (rows as unknown as ShareRow[]).map(shareOf);
  }

  async countActive(accountId: string, now: number): Promise<number> {
    const row = statement(this.#db(), `SELECT count(*) AS active FROM shares WHERE ${listed} AND remaining IS NOT 0`).get(accountId, now, now);
    return Number(row!.active);
  }

  async add(share: Share): Promise<void> {
    statement(
      this.#db(),
      `INSERT INTO shares (share_id, account_id, space, key, incarnation, created_at, expires_at, max_downloads, remaining, password_hash, landing, revoked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      share.id,
      share.object.accountId,
      spaces.indexOf(share.object.space),
      share.object.key,
      share.incarnation,
      share.createdAt,
      share.expiresAt,
      share.maxDownloads,
      share.remainingDownloads,
      share.passwordHash,
      share.hasLanding ? 1 : 0,
      share.revokedAt,
    );
  }

  async revoke(shareId: string, now: number): Promise<void> {
    statement(this.#db(), 'UPDATE shares SET revoked_at = ? WHERE share_id = ? AND revoked_at IS NULL').run(now, shareId);
  }

  async spend(shareId: string): Promise<boolean> {
    return statement(this.#db(), 'UPDATE shares SET remaining = remaining - 1 WHERE share_id = ? AND remaining > 0').run(shareId).changes === 1;
  }

  async giveBack(shareId: string): Promise<void> {
    statement(this.#db(), 'UPDATE shares SET remaining = remaining + 1 WHERE share_id = ? AND remaining < max_downloads').run(shareId);
  }

  async openDownloads({ shareId, downloader, contentId, spentAfter }: OpenDownloads): Promise<SpentDownload[]> {
    const rows = statement(
      this.#db(),
      `SELECT * FROM share_downloads WHERE share_id = ? AND address = ? AND spent_at > ? AND user_agent = ? AND content_id = ?
       ORDER BY spent_at DESC, download_id`,
    ).all(shareId, downloader.address, spentAfter, downloader.userAgent, contentId);
    return (rows as unknown as DownloadRow[]).map(downloadOf);
  }

  async findDownload(downloadId: string): Promise<SpentDownload | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM share_downloads WHERE download_id = ?').get(downloadId);
    return row && downloadOf(row as unknown as DownloadRow);
  }

  async addDownload({ id, shareId, downloader, contentId, spentAt, pieces, resentBytes }: SpentDownload): Promise<void> {
    statement(
      this.#db(),
      'INSERT INTO share_downloads (download_id, share_id, address, user_agent, content_id, spent_at, pieces, resent_bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(id, shareId, downloader.address, downloader.userAgent, contentId, spentAt, JSON.stringify(pieces), resentBytes);
  }

  async setPieces(downloadId: string, pieces: readonly Piece[], resentBytes: number): Promise<void> {
    statement(this.#db(), 'UPDATE share_downloads SET pieces = ?, resent_bytes = ? WHERE download_id = ?').run(JSON.stringify(pieces), resentBytes, downloadId);
  }

  async removeDownload(downloadId: string): Promise<void> {
    statement(this.#db(), 'DELETE FROM share_downloads WHERE download_id = ?').run(downloadId);
  }

  async forgetDownloadsBefore(instant: number, limit: number): Promise<number> {
    const old = 'SELECT download_id FROM share_downloads WHERE spent_at < ? ORDER BY spent_at LIMIT ?';
    return Number(statement(this.#db(), `DELETE FROM share_downloads WHERE download_id IN (${old})`).run(instant, limit).changes);
  }

  async forgetExpiredBefore(instant: number, limit: number): Promise<number> {
    const old = 'SELECT share_id FROM shares WHERE expires_at < ? ORDER BY expires_at LIMIT ?';
    return Number(statement(this.#db(), `DELETE FROM shares WHERE share_id IN (${old})`).run(instant, limit).changes);
  }
}
