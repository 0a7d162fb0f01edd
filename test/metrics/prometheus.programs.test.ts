import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { because, noProgram } from '#test/support/programs.ts';
import { freePort } from '#test/support/free-port.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { scraped } from './scraped.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const missing = noProgram('prometheus', 'promtool');

const promtool = (args: readonly string[], input?: string) =>
  execFileSync('promtool', args, { cwd: deploy, encoding: 'utf8', stdio: 'pipe', ...(input && { input }) });

interface Panel {
  readonly title: string;
  readonly targets?: ReadonlyArray<{ readonly expr: string }>;
}

const dashboard = async () =>
  JSON.parse(await readFile(join(deploy, 'grafana/cubby.json'), 'utf8')) as { readonly panels: readonly Panel[] };

/** The queries of all panels, with values in the place of Grafana's variables. */
async function dashboardQueries(): Promise<string[]> {
  const { panels } = await dashboard();
  return panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*')),
  );
}

/** A server whose metrics have every name: one model, one request of each kind. */
async function busyServer(): Promise<TestServer> {
  const server = await startTestServer({
    env: { CUBBY_AI_UPSTREAM_URL: 'http://127.0.0.1:1/v1', CUBBY_AI_UPSTREAM_MODEL: 'none' },
  });
  await upload(server, await server.account());
  await server.running.app.jobs.runNow();
  return server;
}

it('the dashboard and the alerts name only metrics that the server has', async () => {
  const server = await busyServer();
  const { text } = scraped((await server.send('/metrics', { door: 'operator' })).body.toString());
  const has = new Set([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name]) => name!));
  // Only a server with a bucket has the first, and only one over PostgreSQL the others.
  for (const name of ['cubby_bucket_down', 'cubby_database_round_trip_seconds', 'cubby_clock_lag_seconds'])
    has.add(name);
  const used = [...(await dashboardQueries()), await readFile(join(deploy, 'prometheus/alerts.yml'), 'utf8')].flatMap(
    (words) => words.match(/\bcubby_\w+/g) ?? [],
  );
  expect(used.length).toBeGreaterThan(50);
  expect(used.filter((name) => !has.has(name.replace(/_(bucket|count|sum)$/, '')) && !has.has(name))).toEqual([]);
});

it('the panels of the dashboard have titles, explanations and places of their own', async () => {
  const { panels } = (await dashboard()) as {
    panels: Array<Panel & { id: number; type: string; description?: string }>;
  };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(panels.filter(({ type, description }) => type !== 'row' && !description)).toEqual([]);
});

describe.skipIf(missing)(`Prometheus${because(missing)}`, () => {
  let server: TestServer;
  let folder: string;
  let prometheus: ChildProcess;
  let address: string;

  beforeAll(async () => {
    server = await busyServer();
    folder = await mkdtemp(join(tmpdir(), 'cubby-prometheus-'));
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    const config = (await readFile(join(deploy, 'prometheus/prometheus.yml'), 'utf8'))
      .replace('localhost:7404', new URL(server.running.urls.operator).host)
      .replace('[alerts.yml]', `['${join(deploy, 'prometheus/alerts.yml')}']`)
      .replaceAll('15s', '1s');
    await writeFile(join(folder, 'prometheus.yml'), config);
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
  });
  afterAll(async () => {
    if (prometheus?.exitCode === null && prometheus.kill('SIGTERM')) await once(prometheus, 'exit');
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = async (path: string) => {
    const response = await fetch(address + path).catch(() => undefined);
    return (await response?.json()) as { status: string; data: any; error?: string } | undefined;
  };
  const query = (expr: string) => ask(`/api/v1/query?query=${encodeURIComponent(expr)}`);

  it('finds nothing to correct in the metrics', async () => {
    const text = (await server.send('/metrics', { door: 'operator' })).body.toString();
    expect(promtool(['check', 'metrics'], text)).toBe('');
  });

  it('accepts the configuration and the alerts, which fire when they should', () => {
    expect(promtool(['check', 'config', 'prometheus/prometheus.yml'])).toContain('SUCCESS');
    expect(promtool(['test', 'rules', 'prometheus/alerts.test.yml'])).toContain('SUCCESS');
  });

  it('scrapes a server, evaluates the alerts and answers every query of the dashboard', async () => {
    await expect
      .poll(async () => (await query('up{job="cubby"}'))?.data?.result[0]?.value[1], { timeout: 30_000 })
      .toBe('1');
    expect((await query('cubby_stored_files'))?.data.result[0].value[1]).toBe('1');
    expect((await query('cubby_requests_total{operation="uploadObject"}'))?.data.result[0].metric).toMatchObject({
      door: 'api',
      status: '200',
      code: 'none',
    });
    const healths = async () => {
      const { data } = (await ask('/api/v1/rules'))!;
      return data.groups.flatMap(({ rules }: any) => rules.map(({ health }: any) => health));
    };
    await expect.poll(async () => new Set(await healths()), { timeout: 20_000 }).toEqual(new Set(['ok']));
    for (const expr of await dashboardQueries()) expect(await query(expr), expr).toMatchObject({ status: 'success' });
  });
});
