import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createCipheriv, hash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseConfig } from '#server/config/config.ts';
import { createAccount } from '#server/domain/access/create-account.ts';
import { openLog } from '#server/log.ts';
import { openStores, type Stores } from '#server/stores/open.ts';
import { programEnv } from '#test/support/command.ts';
import { findProgram } from '#test/support/programs.ts';
import { residentMb } from './process-usage.ts';
import { rounded, type Report } from './report.ts';

/** Half of the files are in the database, and half are blobs: 20 kB each on average. */
const [smallBytes, largeBytes] = [4_000, 36_000];
const files = Number(process.env.CUBBY_BENCH_FILES ?? 20_000);
/** Files of one transaction, and blobs that are written at once. */
const [piece, atOnce] = [1_000, 16];

const command = join(import.meta.dirname, '../server/cli/main.js');

/** What a program needed: seconds, and its most memory in MB. */
interface Cost {
  readonly seconds: number;
  readonly peakMb: number;
}

/**
 * Measures backup, check and restore of an installation, with restic's copy of the same folder beside them. The number
 * of files is in `CUBBY_BENCH_FILES`.
 */
export async function backup({ say, row }: Report): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), 'cubby-bench-backup-'));
  try {
    const dataDir = join(place, 'data');
    await fill(dataDir, say);
    const what = `${files.toLocaleString('en')} files, ${((files * (smallBytes + largeBytes)) / 2e9).toFixed(2)} GB`;
    const peer = await restic(place, dataDir, say);
    const env = { CUBBY_DATA_DIR: dataDir };
    const target = join(place, 'backup');
    const measured = async (name: string, ...args: readonly string[]) => {
      say(name);
      const cost = await run(process.execPath, [command, ...args, '--json'], { ...programEnv, ...env });
      const isPeer = peer && name === 'first backup';
      row(
        `${name}: ${what}`,
        shown(cost) + (isPeer ? `, ${(cost.seconds / peer.seconds).toFixed(2)} times restic` : ''),
        isPeer ? `restic: ${shown(peer)}` : '',
      );
    };
    await measured('first backup', 'backup', target);
    await measured('backup again, with nothing new', 'backup', target);
    await measured('store check', 'store', 'check');
    await measured('store check --bytes', 'store', 'check', '--bytes');
    env.CUBBY_DATA_DIR = join(place, 'restored');
    await measured('restore', 'restore', target);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

function shown({ seconds, peakMb }: Cost): string {
  return `${rounded(seconds)} s, ${rounded(peakMb)} MB`;
}

/** Runs a program to its end. */
async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Cost> {
  const startedAt = performance.now();
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let [peakMb, words] = [0, ''];
  child.stderr.on('data', (text) => (words += text));
  const timer = setInterval(() => {
    try {
      peakMb = Math.max(peakMb, residentMb(child.pid!, 'VmHWM') || 0);
    } catch {
      // It has just ended.
    }
  }, 100);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`${[program, ...args].join(' ')} ended with ${code}: ${words}`);
  return { seconds: (performance.now() - startedAt) / 1000, peakMb };
}

async function restic(place: string, dataDir: string, say: Report['say']): Promise<Cost | undefined> {
  if (findProgram('restic') === undefined) return undefined;
  say('restic');
  const env = { ...programEnv, RESTIC_PASSWORD: 'bench', RESTIC_REPOSITORY: join(place, 'restic'), HOME: place };
  await run('restic', ['init'], env);
  const cost = await run('restic', ['backup', '--quiet', dataDir], env);
  await rm(env.RESTIC_REPOSITORY, { recursive: true });
  return cost;
}

/** Makes an installation with files of random bytes. It is not synced, which changes nothing of what is measured. */
async function fill(dataDir: string, say: Report['say']): Promise<void> {
  await mkdir(dataDir);
  const config = parseConfig({ CUBBY_DATA_DIR: dataDir });
  const stores = await openStores(config, openLog('warn'), { sync: false });
  const { accountId } = await createAccount(stores, { name: 'backup', plan: 'enterprise' });
  for (let done = 0; done < files; done += piece) {
    if (done % 50_000 === 0) say(`${done.toLocaleString('en')} files are made`);
    await addPiece(stores, accountId, done, Math.min(files, done + piece));
  }
  await stores.close();
}

async function addPiece(stores: Stores, accountId: string, from: number, to: number): Promise<void> {
  const made = Array.from({ length: to - from }, (_, at) => newFile(stores, from + at));
  const blobs = made.filter(({ isSmall }) => !isSmall);
  for (let at = 0; at < blobs.length; at += atOnce)
    await Promise.all(
      blobs.slice(at, at + atOnce).map(async ({ blobId, bytes }) => {
        async function* source() {
          yield bytes;
        }
        await stores.blobs.put(blobId, source(), { announcedBytes: bytes.length, wantsSha256: false, isExact: true });
      }),
    );
  await stores.metadata.atomically(
    async (tx) => {
      for (const { contentId, blobId, bytes, isSmall, key } of made) {
        const sizeBytes = bytes.length;
        const blob = { blobId, sizeBytes, inline: isSmall ? bytes : null };
        await tx.contents.add({ id: contentId, sizeBytes, crc32: 0, blobs: [blob] });
        await tx.objects.put({
          accountId,
          space: 'public',
          key,
          contentId,
          sizeBytes,
          etag: hash('md5', bytes, 'hex'),
          sha256: hash('sha256', bytes, 'hex'),
          createdAt: tx.now,
          expiresAt: null,
          cacheControl: null,
          disposition: null,
          originalName: 'file.bin',
          clientProperties: null,
          metadata: {},
          suffix: { hash: null, mark: null, extension: 'bin' },
          generation: contentId,
          versionId: 'version-1',
        });
      }
      const bytes = made.reduce((sum, file) => sum + file.bytes.length, 0);
      await tx.accounts.addUsage(accountId, { bytes, objects: made.length });
    },
    { account: accountId },
  );
}

function newFile({ ids }: Stores, number: number) {
  const isSmall = number % 2 === 0;
  return {
    isSmall,
    key: `files/${String(number).padStart(8, '0')}.bin`,
    contentId: ids.orderedId(number),
    blobId: ids.opaqueId(),
    bytes: randomStretch(isSmall ? smallBytes : largeBytes),
  };
}

/** Bytes that cannot be compressed, faster than the kernel gives them. */
function randomStretch(length: number): Buffer {
  return createCipheriv('aes-128-ctr', randomBytes(16), randomBytes(16)).update(Buffer.alloc(length));
}
