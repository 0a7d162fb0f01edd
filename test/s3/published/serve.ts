import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseConfig, type Config } from '#server/config/config.ts';
import { createAccount } from '#server/domain/access/create-account.ts';
import { keyPairOf } from '#server/domain/access/s3-key-pair.ts';
import { openLog } from '#server/log.ts';
import { startServer, type RunningServer } from '#server/start.ts';
import { allowManySpaces, withBuckets } from './many-buckets.ts';

/**
 * Starts a gateway in which a published suite can create its buckets. Prints its address and two key pairs, as one line
 * of JSON.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'cubby-published-'));
const port = process.argv[2] ?? '7500';
const config: Config = parseConfig({
  CUBBY_DATA_DIR: dataDir,
  CUBBY_API_PORT: '0',
  CUBBY_FILES_PORT: '0',
  CUBBY_PUBLIC_PORT: '0',
  CUBBY_S3_PORT: port,
  CUBBY_RATE_LIMITS: 'off',
  CUBBY_LOG: 'warn',
});
const log = openLog(config.logLevel);

const first = await startServer(config, log);
await first.stop();
allowManySpaces(join(dataDir, 'cubby.db'));

const server: RunningServer = await startServer(config, log, {
  sync: false,
  door: (name, real) => (name === 's3' ? withBuckets(real, 'localhost', isEmpty) : real),
});

async function isEmpty(space: 'public' | 'private' | 'legacy'): Promise<boolean> {
  const { objects } = server.app.stores.metadata.read;
  const pages = await Promise.all(
    accountIds.map((accountId) => objects.scan({ accountId, space, prefix: '', limit: 1 })),
  );
  return pages.every((page) => page.length === 0);
}

const accountIds: string[] = [];
const pairs = [];
for (const name of ['first', 'second']) {
  const { accountId, key } = await createAccount(server.app.stores, { name, plan: 'enterprise' });
  accountIds.push(accountId);
  pairs.push({ accountId, ...keyPairOf(server.app.stores.secrets, key) });
}
process.stdout.write(`${JSON.stringify({ endpoint: `http://localhost:${port}`, pairs })}\n`);

process.once('SIGTERM', () => void server.stop().then(() => rm(dataDir, { recursive: true, force: true })));
