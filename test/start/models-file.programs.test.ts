import { describe, expect, it, onTestFinished } from 'vitest';

import { noUseExitCode } from '#server/check-node.js';
import { numberedUpstreams, writeModelsFile, type ModelsText } from '#test/support/models.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { eventually } from '#test/support/eventually.ts';
import { because } from '#test/support/programs.ts';
import { failToStart, runCubby, startProgram, temporaryFolder, type StartedServer } from './program.ts';

const withName = (name: string, url: string): ModelsText => ({
  default: name,
  models: [{ name, upstreams: [{ url, key_env: 'LLM_KEY' }] }],
});

async function start(env: Record<string, string> = {}) {
  const [upstream] = await numberedUpstreams(1);
  const file = writeModelsFile(withName('first', upstream!.url));
  const options = {
    dataDir: await temporaryFolder(),
    env: { CUBBY_AI_MODELS_FILE: file.path, LLM_KEY: 'sk-abc', CUBBY_LOG: 'info', ...env },
  };
  const server = await startProgram(options);
  const credential = /Authorization: (cbk_\w+)/.exec(server.stdout())![1]!;
  const names = async () => {
    // Each request has a connection of its own, so that every worker gets some.
    const headers = { Authorization: credential, Connection: 'close' };
    const answer = (await (await fetch(`${server.api}/v2/ai/models`, { headers })).json()) as any;
    return answer.data.map(({ id }: { readonly id: string }) => id);
  };
  return { upstream: upstream!, file, server, options, names };
}

const linesOf = (server: StartedServer, text: string) =>
  server
    .stderr()
    .split('\n')
    .filter((line) => line.includes(text));

describe('a server with a file of models', () => {
  it('reads it again when it changes and on SIGHUP, and goes on after a mistake', async () => {
    const { upstream, file, server, options, names } = await start();
    expect(await names()).toEqual(['cubic', 'first']);
    file.write(withName('second', upstream.url));
    await eventually(async () => expect(await names()).toEqual(['cubic', 'second']));
    file.write('{"models":[');
    process.kill(server.pid, 'SIGHUP');
    await eventually(() => expect(linesOf(server, 'CUBBY_AI_MODELS_FILE has problems')).toHaveLength(1));
    expect(await names()).toEqual(['cubic', 'second']);
    // A mistake in the file stops no command, except the one that checks it.
    const { env, dataDir } = options;
    expect((await runCubby(['account', 'list'], { dataDir, env })).code).toBe(0);
    const checked = await runCubby(['config', 'check'], { dataDir, env });
    expect(checked.code).toBe(1);
    expect(checked.stderr).toMatch(/CUBBY_AI_MODELS_FILE: (line 1|the file).* is not valid JSON\./);
    file.write(withName('third', upstream.url));
    process.kill(server.pid, 'SIGHUP');
    await eventually(async () => expect(await names()).toEqual(['cubic', 'third']));
    expect((await server.stop()).code).toBe(0);
    expect(server.stdout() + server.stderr()).not.toContain('sk-abc');
  });

  it('does not start with a mistake in it, and says all of them', async () => {
    const file = writeModelsFile({ models: [{ name: 'Big', upstreams: [{ url: 'x', key_env: 'LLM_KEY' }] }] });
    const ended = await failToStart({ dataDir: await temporaryFolder(), env: { CUBBY_AI_MODELS_FILE: file.path } });
    expect(ended.code).toBe(noUseExitCode);
    for (const place of ['models[0].name', 'models[0].upstreams[0].url', 'models[0].upstreams[0].key_env'])
      expect(ended.stderr).toContain(`CUBBY_AI_MODELS_FILE: ${place}`);
  });

  it('is not needed for SIGHUP to end a server, as before', async () => {
    const server = await startProgram({ dataDir: await temporaryFolder() });
    expect((await server.stop('SIGHUP')).code).toBeNull();
  });
});

describe.skipIf(noPostgres())(`two workers with a file of models${because(noPostgres())}`, () => {
  it('read it again when their parent gets SIGHUP', async () => {
    const database = await freshDatabase();
    onTestFinished(() => database.drop());
    const { upstream, file, server, names } = await start({
      CUBBY_WORKERS: '2',
      CUBBY_DATABASE_URL: database.url,
      CUBBY_PUBLIC_METRICS: 'on',
    });
    await eventually(() => expect(linesOf(server, '"listening"')).toHaveLength(2));
    file.write(withName('second', upstream.url));
    process.kill(server.pid, 'SIGHUP');
    await eventually(() => expect(linesOf(server, 'the models of the AI gateway have changed')).toHaveLength(2));
    for (let asked = 0; asked < 6; asked++) expect(await names()).toEqual(['cubic', 'second']);
    const metrics = await (await fetch(`${server.api}/metrics`)).text();
    expect(metrics).toMatch(/cubby_ai_upstream_up\{upstream="second\/1"\} 1/);
    expect((await server.stop()).code).toBe(0);
  });
});
