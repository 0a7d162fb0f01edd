import type { DatabaseSync } from 'node:sqlite';

import type { LogCheckpoint, NewLogCheckpoint } from '#server/domain/edge-errors/log-checkpoint.ts';
import type { EdgeLogsTable } from '#server/domain/edge-errors/table.ts';
import { statement } from './connection.ts';

interface EdgeLogRow {
  readonly log_id: number;
  readonly app_id: string;
  readonly path: string;
  readonly inode: string;
  readonly offset: number;
  readonly lines: number;
  readonly head_sha256: string;
  readonly tail_sha256: string;
  readonly moved_at: number;
}

function checkpointOf(row: EdgeLogRow): LogCheckpoint {
  return {
    id: row.log_id,
    appId: row.app_id,
    path: row.path,
    inode: row.inode,
    offset: row.offset,
    lines: row.lines,
    headSha256: row.head_sha256,
    tailSha256: row.tail_sha256,
    movedAt: row.moved_at,
  };
}

/** How far access logs have been read, over one connection. */
export class SqliteEdgeLogs implements EdgeLogsTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async listOf(appId: string): Promise<LogCheckpoint[]> {
    const rows = statement(this.#db(), 'SELECT * FROM edge_logs WHERE app_id = ? ORDER BY log_id').all(appId);
    return (rows as unknown as EdgeLogRow[]).map(checkpointOf);
  }

  async add(checkpoint: NewLogCheckpoint): Promise<LogCheckpoint> {
    const { appId, path, inode, offset, lines, headSha256, tailSha256, movedAt } = checkpoint;
    const { lastInsertRowid } = statement(
      this.#db(),
      'INSERT INTO edge_logs (app_id, path, inode, offset, lines, head_sha256, tail_sha256, moved_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(appId, path, inode, offset, lines, headSha256, tailSha256, movedAt);
    return { ...checkpoint, id: Number(lastInsertRowid) };
  }

  async advance(
    from: LogCheckpoint,
    { path, inode, offset, lines, headSha256, tailSha256, movedAt }: LogCheckpoint,
  ): Promise<boolean> {
    const { changes } = statement(
      this.#db(),
      'UPDATE edge_logs SET path = ?, inode = ?, offset = ?, lines = ?, head_sha256 = ?, tail_sha256 = ?, moved_at = ? WHERE log_id = ? AND offset = ? AND tail_sha256 = ?',
    ).run(path, inode, offset, lines, headSha256, tailSha256, movedAt, from.id, from.offset, from.tailSha256);
    return changes === 1;
  }

  async forgetBefore(at: number, limit: number): Promise<number> {
    const { changes } = statement(
      this.#db(),
      'DELETE FROM edge_logs WHERE log_id IN (SELECT log_id FROM edge_logs WHERE moved_at < ? ORDER BY moved_at LIMIT ?)',
    ).run(at, limit);
    return Number(changes);
  }
}
