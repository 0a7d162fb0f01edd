import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { parseConfig } from '#server/config/config.ts';
import { shrinkDatabase } from '#server/stores/shrink-database.ts';
import { formWith } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/start/program.ts';

it('small files are in no database file after their deletion and a stop, and shrinking makes it smaller', async () => {
  const dataDir = await temporaryFolder();
  const server = await startTestServer({ dataDir, ownStores: true });
  const { credential } = await server.account();
  const line = (at: number) => `this line was confidential: ${at * 7919}. `;
  const count = 60;
  for (let at = 0; at < count; at++) {
    const body = formWith(Buffer.from(line(at).repeat(150)));
    const path = `/v1/objects?name=secret${at}`;
    expect((await server.send(path, { method: 'POST', credential, body })).status).toBe(200);
  }
  const found = () => {
    const text = readdirSync(dataDir)
      .filter((file) => file.startsWith('cubby.db'))
      .map((file) => readFileSync(join(dataDir, file), 'latin1'))
      .join('');
    return Array.from({ length: count }, (_, at) => line(at).trim()).filter((words) => text.includes(words)).length;
  };
  expect(found()).toBe(count);
  const listed = (await server.send('/v1/objects?limit=1000', { credential })).json().response.objects;
  expect(listed).toHaveLength(count);
  const objects = listed.map(({ id }: { id: string }) => id);
  await server.send('/v1/objects', { method: 'DELETE', credential, body: JSON.stringify({ objects }) });
  const config = parseConfig({ CUBBY_DATA_DIR: dataDir });
  await server.stop();
  expect(found()).toBe(0);
  const { beforeBytes, afterBytes } = await shrinkDatabase(config);
  expect(afterBytes).toBeLessThan(beforeBytes);
});
