import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { chosenStore } from '#test/support/chosen-store.ts';
import { programEnv } from '#test/support/command.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import { freePort } from '#test/support/free-port.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { cubbyOver, temporaryFolder } from '../cubby.ts';

const entry = join(import.meta.dirname, '../../../server/main.js');

/** Uploads one file after the other, as a client that retries, and notes when each was stored. */
function uploads(url: string, credential: string) {
  let isStopped = false;
  const stored: number[] = [];
  const ids: string[] = [];
  const running = (async () => {
    for (let turn = 0; !isStopped; turn++) {
      const body = formWith(someBytes(1000));
      const options = { method: 'POST', body, headers: { authorization: credential } };
      const answer = await fetch(`${url}/v1/objects?name=file-${turn}`, options).catch(() => undefined);
      if (answer?.ok) {
        stored.push(performance.now());
        ids.push(((await answer.json()) as { response: { id: string } }).response.id);
      } else await sleep(20);
    }
  })();
  return { stored, ids, stop: () => ((isStopped = true), running) };
}

const missing = chosenStore === 'sqlite' ? noPostgres() : 'this test names its stores itself';
const why = missing === undefined ? '' : ` (skipped: ${missing})`;

describe.skipIf(missing !== undefined)(`cubby store migrate --then${why}`, () => {
  it('leaves a client that retries without a stored file for less than 10 s, with the restart', async () => {
    const [dataDir, work] = [await temporaryFolder(), await temporaryFolder()];
    const database = await freshDatabase();
    onTestFinished(() => database.drop());
    const [api, files, open, s3] = [await freePort(), await freePort(), await freePort(), await freePort()].map(
      String,
    ) as [string, string, string, string];
    const ports = {
      CUBBY_API_PORT: api,
      CUBBY_FILES_PORT: files,
      CUBBY_PUBLIC_PORT: open,
      CUBBY_S3_PORT: s3,
      CUBBY_OPERATOR_PORT: String(await freePort()),
    };
    const env = { CUBBY_DATA_DIR: dataDir, CUBBY_RATE_LIMITS: 'off', CUBBY_MIN_FREE_BYTES: '0', ...ports };
    const cubby = cubbyOver(dataDir, env);
    const { api_key: credential } = await cubby.json('account', 'create', '--name', 'one', '--plan', 'enterprise');

    // The new settings are where the supervisor reads them, before the move begins.
    const [pidFile, settings] = [join(work, 'pid'), join(work, 'settings')];
    writeFileSync(settings, `export CUBBY_DATABASE_URL='${database.url}'\n`);
    const old = spawn(process.execPath, [entry], { env: { ...programEnv, ...env }, stdio: 'ignore' });
    onTestFinished(async () => {
      old.kill('SIGKILL');
      const pid = Number(readFileSync(pidFile, 'utf8'));
      if (pid > 0) process.kill(pid, 'SIGKILL');
    });
    const restart = `kill ${old.pid}; while kill -0 ${old.pid} 2> /dev/null; do sleep 0.05; done; . ${settings}
      '${process.execPath}' '${entry}' > ${work}/log 2>&1 & echo $! > ${pidFile}
      until curl -sf http://127.0.0.1:${api}/readyz > /dev/null; do sleep 0.05; done`;

    const url = `http://127.0.0.1:${api}`;
    const client = uploads(url, credential);
    await expect.poll(() => client.stored.length, { timeout: 30_000 }).toBeGreaterThan(20);
    const report = await cubby.json('store', 'migrate', '--to', database.url, '--then', restart);
    const moved = client.stored.length;
    await expect.poll(() => client.stored.length, { timeout: 30_000 }).toBeGreaterThan(moved + 5);
    await client.stop();

    const gaps = client.stored.slice(1).map((at, index) => at - client.stored[index]!);
    expect(Math.max(...gaps)).toBeLessThan(10_000);
    expect(report.refused_ms + report.restart_ms).toBeLessThan(10_000);
    for (const id of client.ids) {
      const found = await fetch(`${url}/v1/objects/info?object=${encodeURIComponent(id)}`, {
        headers: { authorization: credential },
      });
      expect(found.status, id).toBe(200);
    }
  });
});
