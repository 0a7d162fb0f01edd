import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import { spawnServer } from '#test/faults/spawned-server.ts';
import { someBytes } from '#test/support/files.ts';
import { startCluster } from '#test/support/postgres/cluster.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import type { Report } from './report.ts';

const files = 4_000;
const parallel = 16;
const accounts = 4;

/** More bytes than a row holds. */
const fileBytes = 17_000;

const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

/** The tables that grow with files, and what each of their rows stands for. */
const kinds = {
  file: ['objects', 'contents', 'content_blobs'],
  'entry of activity': ['activity'],
  event: ['events'],
} as const;

const sizes = `SELECT pg_class.relname AS name, pg_table_size(pg_class.oid) AS bytes
  FROM pg_class LEFT JOIN pg_index ON pg_index.indexrelid = pg_class.oid
  WHERE pg_class.oid = $1::regclass OR pg_index.indrelid = $1::regclass ORDER BY relkind DESC, relname`;

/** Measures what a file, an entry of activity and an event take in PostgreSQL, with their indexes. */
export async function rowBytes({ say, row }: Report): Promise<void> {
  const missing = noPostgres();
  if (missing !== undefined) return say(`skipped: ${missing}`);
  const folder = await mkdtemp(join(tmpdir(), 'cubby-bench-'));
  const cluster = await startCluster();
  const server = await spawnServer({ dataDir: join(folder, 'data'), env: { CUBBY_DATABASE_URL: cluster.url() } });
  const client = new pg.Client({ connectionString: cluster.url() });
  try {
    const owners = await Promise.all(Array.from({ length: accounts }, () => server.account()));
    let next = 0;
    const uploadSome = async () => {
      for (let number = next++; number < files; number = next++)
        await upload(server.urls.base, owners[number % accounts]!.credential, number);
    };
    await Promise.all(Array.from({ length: parallel }, uploadSome));
    await client.connect();
    for (const [kind, tables] of Object.entries(kinds)) {
      const found: Array<{ readonly name: string; readonly bytes: string }> = [];
      for (const table of tables) found.push(...(await client.query(sizes, [table])).rows);
      const counted = await client.query(`SELECT count(*) AS count FROM ${tables[0]}`);
      const each = (bytes: number) => Math.round(bytes / Number(counted.rows[0].count));
      const parts = found.map(({ name, bytes }) => `${name} ${each(Number(bytes))}`).join(', ');
      row(`bytes of a row: ${kind}`, String(each(found.reduce((sum, { bytes }) => sum + Number(bytes), 0))), parts);
    }
  } finally {
    await client.end();
    await server.remove();
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function upload(base: string, credential: string, number: number): Promise<void> {
  const name = `img-2026-${String(number).padStart(5, '0')}`;
  const query = new URLSearchParams({ name, prefix: `photos/holiday-${number % 20}`, private: 'true' });
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(someBytes(fileBytes))]), `${name}.jpg`);
  const response = await fetch(`${base}/v1/objects?${query}`, {
    method: 'POST',
    headers: { authorization: credential, 'user-agent': browser },
    body,
  });
  if (!response.ok) throw new Error(`An upload failed: ${response.status} ${await response.text()}`);
}
