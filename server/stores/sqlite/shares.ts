import type { DatabaseSync } from 'node:sqlite';

import { spaces } from '#server/domain/object-id.ts';
import type { Share } from '#server/domain/shares/share.ts';
import type { ListedShare, OpenDownloads, SharesTable, SpentDownload } from '#server/domain/shares/table.ts';
import { statement } from './connection.ts';

interface ShareRow {
  readonly share_id: string;
  readonly sealed_id: string;
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

interface ListedRow extends ShareRow {
  readonly file_expires_at: number | null;
}

function shareOf(row: ShareRow): Share {
  return {
    idHash: row.share_id,
    sealedId: row.sealed_id,
    object: { accountId: row.account_id, space: spaces[row.space]!, key: row.key },
    generation: row.incarnation,
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
  readonly opened_at: number;
  readonly left_bytes: number;
}

function downloadOf(row: DownloadRow): SpentDownload {
  return {
    id: row.download_id,
    idHash: row.share_id,
    downloader: { address: row.address, userAgent: row.user_agent },
    contentId: row.content_id,
    openedAt: row.opened_at,
    leftBytes: row.left_bytes,
  };
}

/** The file that a link was made for, expired or not. */
const itsFile = `FROM objects WHERE objects.account_id = shares.account_id AND objects.space = shares.space AND objects.key = shares.key
  AND objects.incarnation = shares.incarnation`;

/** That file is there. Takes the present. */
const hasFile = `EXISTS (SELECT 1 ${itsFile} AND (objects.expires_at IS NULL OR objects.expires_at > ?))`;

/**
 * Takes the account, and twice the present. The first half is in the words of the index, which would not serve
 * otherwise.
 */
const active = `revoked_at IS NULL AND is_gone = 0 AND remaining IS NOT 0 AND account_id = ? AND expires_at > ? AND ${hasFile}`;

/** A link and the end of its file. */
const listed = `shares.*, (SELECT objects.expires_at ${itsFile}) AS file_expires_at`;

function newestFirst(one: Share, other: Share): number {
  return other.createdAt - one.createdAt || (other.idHash < one.idHash ? -1 : 1);
}

/** Share links and their downloads, over one connection. */
export class SqliteShares implements SharesTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async find(idHash: string): Promise<Share | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM shares WHERE share_id = ?').get(idHash);
    return row && shareOf(row as unknown as ShareRow);
  }

  async listOf(accountId: string, now: number, limit: number): Promise<ListedShare[]> {
    const order = 'ORDER BY created_at DESC, share_id DESC';
    const lasting = statement(this.#db(), `SELECT ${listed} FROM shares WHERE ${active} ${order} LIMIT ?`).all(
      accountId,
      now,
      now,
      limit,
    );
    // The limit stands inside, so that it bounds what is looked at.
    const newestSpent = `SELECT * FROM shares WHERE revoked_at IS NULL AND remaining = 0 AND account_id = ? ${order} LIMIT ?`;
    const spent = statement(
      this.#db(),
      `SELECT ${listed} FROM (${newestSpent}) AS shares WHERE expires_at > ? AND ${hasFile}`,
    ).all(accountId, limit - lasting.length, now, now);
    const rows = [...lasting, ...spent] as unknown as ListedRow[];
    return rows.map((row) => ({ ...shareOf(row), fileExpiresAt: row.file_expires_at })).toSorted(newestFirst);
  }

  async countActive(accountId: string, now: number): Promise<number> {
    const row = statement(this.#db(), `SELECT count(*) AS active FROM shares WHERE ${active}`).get(accountId, now, now);
    return Number(row!.active);
  }

  async add(share: Share): Promise<void> {
    statement(
      this.#db(),
      `INSERT INTO shares (share_id, sealed_id, account_id, space, key, incarnation, created_at, expires_at, max_downloads, remaining, password_hash, landing, revoked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      share.idHash,
      share.sealedId,
      share.object.accountId,
      spaces.indexOf(share.object.space),
      share.object.key,
      share.generation,
      share.createdAt,
      share.expiresAt,
      share.maxDownloads,
      share.remainingDownloads,
      share.passwordHash,
      share.hasLanding ? 1 : 0,
      share.revokedAt,
    );
  }

  async revoke(idHash: string, now: number): Promise<void> {
    statement(this.#db(), 'UPDATE shares SET revoked_at = ? WHERE share_id = ? AND revoked_at IS NULL').run(
      now,
      idHash,
    );
  }

  async spend(idHash: string): Promise<boolean> {
    return (
      statement(this.#db(), 'UPDATE shares SET remaining = remaining - 1 WHERE share_id = ? AND remaining > 0').run(
        idHash,
      ).changes === 1
    );
  }

  async giveBack(idHash: string): Promise<void> {
    // Nothing to a link whose file has left: nobody would see it, and it would lie among those that are looked through.
    statement(
      this.#db(),
      `UPDATE shares SET remaining = remaining + 1 WHERE share_id = ? AND remaining < max_downloads AND EXISTS (SELECT 1 ${itsFile})`,
    ).run(idHash);
  }

  async openDownload({
    idHash,
    downloader,
    contentId,
    openedAfter,
    leftBytes,
  }: OpenDownloads): Promise<SpentDownload | undefined> {
    const row = statement(
      this.#db(),
      `SELECT * FROM share_downloads WHERE share_id = ? AND address = ? AND opened_at > ? AND user_agent = ? AND content_id = ? AND left_bytes >= ?
       ORDER BY opened_at DESC, download_id LIMIT 1`,
    ).get(idHash, downloader.address, openedAfter, downloader.userAgent, contentId, leftBytes);
    return row && downloadOf(row as unknown as DownloadRow);
  }

  async findDownload(downloadId: string): Promise<SpentDownload | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM share_downloads WHERE download_id = ?').get(downloadId);
    return row && downloadOf(row as unknown as DownloadRow);
  }

  async addDownload({ id, idHash, downloader, contentId, openedAt, leftBytes }: SpentDownload): Promise<void> {
    statement(
      this.#db(),
      'INSERT INTO share_downloads (download_id, share_id, address, user_agent, content_id, opened_at, used_at, left_bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(id, idHash, downloader.address, downloader.userAgent, contentId, openedAt, openedAt, leftBytes);
  }

  async takeBytes(downloadId: string, bytes: number, now: number): Promise<boolean> {
    const take =
      'UPDATE share_downloads SET left_bytes = left_bytes - ?1, used_at = ?2 WHERE download_id = ?3 AND left_bytes >= ?1';
    return statement(this.#db(), take).run(bytes, now, downloadId).changes === 1;
  }

  async returnBytes(downloadId: string, bytes: number): Promise<void> {
    statement(this.#db(), 'UPDATE share_downloads SET left_bytes = left_bytes + ? WHERE download_id = ?').run(
      bytes,
      downloadId,
    );
  }

  async removeDownload(downloadId: string, leftBytes: number): Promise<boolean> {
    return (
      statement(this.#db(), 'DELETE FROM share_downloads WHERE download_id = ? AND left_bytes = ?').run(
        downloadId,
        leftBytes,
      ).changes === 1
    );
  }

  async forgetDownloadsBefore(instant: number, limit: number): Promise<number> {
    const old = 'SELECT download_id FROM share_downloads WHERE used_at < ? ORDER BY used_at LIMIT ?';
    return Number(
      statement(this.#db(), `DELETE FROM share_downloads WHERE download_id IN (${old})`).run(instant, limit).changes,
    );
  }

  async forgetExpiredBefore(instant: number, limit: number): Promise<number> {
    const old = 'SELECT share_id FROM shares WHERE expires_at < ? ORDER BY expires_at LIMIT ?';
    return Number(statement(this.#db(), `DELETE FROM shares WHERE share_id IN (${old})`).run(instant, limit).changes);
  }
}
