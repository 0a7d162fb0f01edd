import { readFile } from 'node:fs/promises';

import type { DatabaseHost, DatabaseUrl } from '#server/config/database-url.ts';
import { passwordFor } from './credentials.ts';
import { NoConnection } from './database-errors.ts';
import { Session, type SessionLimits, type SessionOptions } from './session.ts';

/** The time limits of the sessions, and of opening one. */
interface ConnectorLimits extends SessionLimits {
  /** The most time for one server, so that the next one has its turn. */
  readonly maxConnectMs: number;
}

/** Opens sessions with the server that takes them. It remembers which one that was. */
export class Connector {
  readonly #url: DatabaseUrl;
  readonly #limits: ConnectorLimits;
  /** The index of the server that let us in last. */
  #preferred = 0;

  constructor(url: DatabaseUrl, limits: ConnectorLimits) {
    this.#url = url;
    this.#limits = limits;
  }

  /**
   * Opens a session with the first server that can be reached and, if that was requested, takes writes.
   *
   * @param withinMs the time for all servers together
   * @throws {NoConnection} with the reason of each server
   */
  async connect(withinMs: number): Promise<Session> {
    const { hosts } = this.#url;
    const giveUpAt = performance.now() + withinMs;
    const reasons: string[] = [];
    const causes: unknown[] = [];
    for (let at = 0; at < hosts.length; at += 1) {
      const index = (this.#preferred + at) % hosts.length;
      const host = hosts[index]!;
      const leftMs = giveUpAt - performance.now();
      if (leftMs <= 0) break;
      try {
        const session = await this.#open(host, Math.min(this.#limits.maxConnectMs, leftMs));
        this.#preferred = index;
        return session;
      } catch (error) {
        reasons.push(`${host.host}:${host.port}: ${reasonOf(error)}`);
        causes.push(error);
      }
    }
    throw new NoConnection(`No connection to the database could be opened (${reasons.join('; ')}).`, {
      cause: causes.at(-1),
    });
  }

  async #open(host: DatabaseHost, connectMs: number): Promise<Session> {
    const { database, user, applicationName, sessionAttributes } = this.#url;
    const [password, ssl] = await Promise.all([passwordFor(this.#url, host), tlsOf(this.#url)]);
    const session = await Session.open({
      ...host,
      ...this.#limits,
      database,
      user,
      password,
      ssl,
      applicationName,
      connectMs,
    });
    try {
      // Not prepared: a pooler may send it to another connection than the next statement.
      const { rows } = await session.command(stateOfServer);
      const [isReadOnly, timeline] = rows[0] as [string, string | null];
      session.timeline = timeline ?? undefined;
      if (sessionAttributes === 'read-write' && isReadOnly === 'on') throw new Error('it takes no writes');
      return session;
    } catch (error) {
      session.destroy();
      throw error;
    }
  }
}

/** Whether the server takes no writes, and the timeline of its log, with which the names of its files begin. */
const stateOfServer = `SELECT current_setting('transaction_read_only'),
  CASE WHEN pg_is_in_recovery() THEN NULL ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END`;

/** Returns the options for TLS; undefined for plain text. The file is read each time, so that it can be replaced. */
async function tlsOf({ sslMode, sslRootCert }: DatabaseUrl): Promise<SessionOptions['ssl']> {
  if (sslMode === 'disable') return undefined;
  const ca = sslRootCert === undefined ? undefined : await readFile(sslRootCert, 'utf8');
  return {
    ...(ca !== undefined && { ca }),
    // As in libpq, a certificate that was named is verified in mode "require" too.
    rejectUnauthorized: sslMode !== 'require' || ca !== undefined,
    ...(sslMode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
