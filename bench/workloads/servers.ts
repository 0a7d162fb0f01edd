import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { someBytes } from '#test/support/files.ts';
import { freePort } from '../s3.ts';

export const [smallBytes, largeBytes] = [4096, 100 * 1_048_576];

/** A server that Cubby is compared with. */
export interface Peer {
  readonly url: string;
  /** Its processes. Their processor times are added up. */
  readonly pids: readonly number[];
  remove(): Promise<void>;
}

async function folderWithFiles(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-peer-'));
  await writeFile(join(folder, 'small'), someBytes(smallBytes));
  await writeFile(join(folder, 'large'), Buffer.alloc(largeBytes, someBytes(65_536)));
  return folder;
}

/** Starts the bare handlers over a folder with one small and one large file. */
export async function bareStore(): Promise<Peer> {
  return forked('bare-store.ts', await folderWithFiles());
}

/** Starts the bare handlers over a folder with so many files, whose names are their numbers. */
export async function bareFiles(count: number, bytes: Uint8Array): Promise<Peer> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-peer-'));
  for (let number = 0; number < count; number++) await writeFile(join(folder, `${number}`), bytes);
  return forked('bare-store.ts', folder);
}

/** Starts `@tus/server` with its file store. It syncs nothing and computes no hash. */
export async function tusServer(): Promise<Peer> {
  return forked('../tus-server.ts', await mkdtemp(join(tmpdir(), 'cubby-peer-')));
}

async function forked(file: string, folder: string): Promise<Peer> {
  const child = fork(join(import.meta.dirname, file), [folder]);
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    pids: [child.pid!],
    async remove() {
      child.disconnect();
      await once(child, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

/** Starts nginx with one worker over the same files. Returns undefined if it is not installed or does not respond. */
export async function nginx(): Promise<Peer | undefined> {
  const folder = await folderWithFiles();
  const port = await freePort();
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(
    join(folder, 'nginx.conf'),
    `${user} daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr crit;
events { worker_connections 256; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
  server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  );
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
  const failed = once(child, 'error').then(() => true);
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 50; tries++) {
    if (await Promise.race([failed, sleep(100, false)])) break;
    if (await fetch(`${url}/small`).catch(() => undefined)) {
      const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
      return {
        url,
        pids: children.trim().split(' ').map(Number),
        async remove() {
          child.kill();
          await once(child, 'exit');
          await rm(folder, { recursive: true });
        },
      };
    }
  }
  child.kill();
  await rm(folder, { recursive: true });
  return undefined;
}
