import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { findProgram, noProgram } from '#test/support/programs.ts';

const root = join(import.meta.dirname, '../..');

/** An instruction of a Dockerfile. */
interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** A stage while it is built: its file system, and what later instructions start from. */
interface Stage {
  readonly folder: string;
  workdir: string;
  user: string;
  readonly env: Record<string, string>;
}

/** An image as a folder, with the way to start it. */
export interface ReplayedImage extends Pick<Stage, 'folder' | 'workdir' | 'env'> {
  /** As `uid:gid`. */
  readonly user: string;
  readonly command: readonly string[];
}

/** Returns the instructions, without comments and with their lines joined. */
export function instructionsOf(dockerfile: string): Instruction[] {
  return dockerfile
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line)!;
      return { name: name!, rest: rest! };
    });
}

/**
 * Carries out a Dockerfile without a container daemon: its base image is a minimal Debian with Node, its steps run in a
 * chroot. Needs root and mmdebstrap.
 *
 * @param folder gets one folder for each stage
 * @param base a folder made by `makeBase()`
 */
export function replayImage(dockerfile: string, folder: string, base: string): ReplayedImage {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  let command: readonly string[] = [];
  for (const { name, rest } of instructionsOf(readFileSync(dockerfile, 'utf8'))) {
    if (name === 'FROM') {
      const stageName = / AS (\w+)$/.exec(rest)?.[1] ?? `stage-${stages.size}`;
      stage = { folder: join(folder, stageName), workdir: '/', user: '0:0', env: {} };
      execFileSync('cp', ['-a', base, stage.folder]);
      stages.set(stageName, stage);
    } else if (name === 'CMD') command = JSON.parse(rest) as string[];
    else step(stage!, stages, name, rest);
  }
  const { folder: place, workdir, user, env } = stage!;
  return { folder: place, workdir, user, env, command };
}

function step(stage: Stage, stages: ReadonlyMap<string, Stage>, name: string, rest: string): void {
  switch (name) {
    case 'WORKDIR':
      stage.workdir = rest;
      mkdirSync(join(stage.folder, rest), { recursive: true });
      break;
    case 'USER':
      stage.user = rest;
      break;
    case 'ARG':
    case 'ENV':
      for (const pair of rest.split(' ')) stage.env[pair.split('=')[0]!] = pair.slice(pair.indexOf('=') + 1);
      break;
    case 'COPY':
      copy(stage, stages, rest.split(' '));
      break;
    case 'RUN':
      run(stage, rest);
      break;
    case 'EXPOSE':
    case 'VOLUME':
    case 'STOPSIGNAL':
    case 'HEALTHCHECK':
      // They say how an image is run, and change nothing in it.
      break;
    default:
      throw new Error(`The instruction ${name} cannot be replayed. Add it here.`);
  }
}

function copy({ folder, workdir }: Stage, stages: ReadonlyMap<string, Stage>, words: readonly string[]): void {
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = paths.at(-1)!;
  for (const path of paths.slice(0, -1)) {
    const source = from === undefined ? join(root, path) : join(stages.get(from)!.folder, path);
    const into = resolve(join(folder, workdir), target.startsWith('/') ? join(folder, target) : target);
    // As Docker does: the contents of a folder, or the file under its name.
    const place = statSync(source).isDirectory() ? into : target.endsWith('/') ? join(into, basename(path)) : into;
    mkdirSync(dirname(place), { recursive: true });
    cpSync(source, place, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    chmodSync(dirname(place), 0o755);
  }
}

function run({ folder, workdir, user, env }: Stage, command: string): void {
  const [uid, gid] = user.split(':');
  const inside = `cd ${workdir} && ${command}`;
  execFileSync('chroot', [`--userspec=${uid}:${gid}`, folder, '/bin/sh', '-c', inside], {
    env: { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/tmp', ...npmSettings(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 600_000,
  });
}

/** Where the certificates that this machine adds are in the chroot. */
const certificates = '/etc/ssl/added.pem';

/** The registry that this machine uses. */
function npmSettings(): Record<string, string> {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const proxies = Object.entries(process.env).filter(([name]) => /^(https?_proxy|no_proxy)$/i.test(name));
  const added = process.env.NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS: certificates };
  return { npm_config_registry: registry, ...added, ...(Object.fromEntries(proxies) as Record<string, string>) };
}

/** Why no base can be made here. `undefined` if it can. */
export function noBase(): string | undefined {
  return (
    noProgram('mmdebstrap', 'mount', 'unshare') ?? (process.getuid?.() === 0 ? undefined : 'this user is not root')
  );
}

/** In the place of `node:24-bookworm-slim`: a minimal Debian of the same release, with Node and npm in /usr/local. */
export function makeBase(folder: string): void {
  execFileSync('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', folder], {
    stdio: 'ignore',
  });
  cpSync(realpathSync(process.execPath), join(folder, 'usr/local/bin/node'));
  const npm = realpathSync(findProgram('npm')!);
  const place = join(folder, 'usr/local/lib/node_modules/npm');
  cpSync(resolve(dirname(npm), '..'), place, { recursive: true });
  execFileSync('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm')]);
  if (existsSync('/etc/resolv.conf')) cpSync(realpathSync('/etc/resolv.conf'), join(folder, 'etc/resolv.conf'));
  cpSync('/etc/hosts', join(folder, 'etc/hosts'));
  if (process.env.NODE_EXTRA_CA_CERTS) cpSync(process.env.NODE_EXTRA_CA_CERTS, join(folder, certificates));
  // A chroot has no devices of its own.
  execFileSync('sh', [
    '-c',
    '[ -c "$1/dev/null" ] || mknod -m 666 "$1/dev/null" c 1 3; [ -c "$1/dev/urandom" ] || mknod -m 666 ' +
      '"$1/dev/urandom" c 1 9',
    'sh',
    folder,
  ]);
}
