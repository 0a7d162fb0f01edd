import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { noProgram } from '#test/support/programs.ts';

const execute = promisify(execFile);

const mib = 1024 * 1024;

/** Makes the file system of a folder fail like a disk without power, once a line arrives. */
const cutter = `
  open(my $folder, "<", $ARGV[0]) or die "$ARGV[0]: $!";
  print "ready\\n"; STDOUT->flush();
  defined(<STDIN>) or exit 1;
  # EXT4_IOC_SHUTDOWN, _IOR('X', 125, __u32), with EXT4_GOING_FLAGS_NOLOGFLUSH
  ioctl($folder, 0x8004587d, my $flags = pack("L", 2)) or die "ioctl: $!";
`;

/** How a file system is made and mounted. */
export interface LoopDiskOptions {
  /** Bytes of a block. SQLite writes pages of 4096 bytes, so smaller blocks can tear one. Default 4096. */
  readonly blockBytes?: 1024 | 2048 | 4096;
  /** Whether a file's size may reach the disk before its bytes. Default `ordered`, which is ext4's own. */
  readonly data?: 'ordered' | 'writeback';
}

/** An ext4 file system in a file, whose power can be cut. */
export interface LoopDisk {
  /** Where it is mounted. */
  readonly folder: string;
  /**
   * Cuts its power. What was not synced is lost, unless the system happened to write it. From then on every call on its
   * files fails.
   */
  cut(): Promise<void>;
  /** Mounts it again, as a machine does at its next start. No process may have a file of it open. */
  restore(): Promise<void>;
  /** Unmounts and removes it. */
  remove(): Promise<void>;
}

/**
 * Returns the reason why this machine cannot cut the power of a file system, or `undefined` if it can. It tries.
 */
export async function noLoopDisk(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'only root can mount a file system';
  const missing = noProgram('mkfs.ext4', 'mount', 'umount', 'perl');
  if (missing !== undefined) return missing;
  try {
    const disk = await openLoopDisk();
    await disk.cut();
    await disk.remove();
    return undefined;
  } catch (error) {
    return (
      'no ext4 file system can be mounted from a file, or its power cannot be cut: ' +
      `${(error as Error).message.trim().split('\n').at(-1)}`
    );
  }
}

/** Syncs one file or one folder. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

/** Makes an empty file system of 256 MiB in a sparse file, and mounts it. */
export async function openLoopDisk({ blockBytes = 4096, data = 'ordered' }: LoopDiskOptions = {}): Promise<LoopDisk> {
  const place = mkdtempSync(join(tmpdir(), 'cubby-loop-'));
  const image = join(place, 'image');
  const folder = join(place, 'disk');
  mkdirSync(folder);
  writeFileSync(image, '');
  truncateSync(image, 256 * mib);
  let isMounted = false;
  let power: Power | undefined;

  // With `commit`, only a sync writes the journal. By itself ext4 does so every 5 seconds.
  const mount = async (): Promise<void> => {
    await execute('mount', ['-t', 'ext4', '-o', `loop,commit=300,data=${data}`, image, folder]);
    isMounted = true;
    power = await openPower(folder);
  };
  const unmount = async (): Promise<void> => {
    power?.leave();
    if (!isMounted) return;
    await unmounted(folder);
    isMounted = false;
  };
  const remove = async (): Promise<void> => {
    await unmount();
    rmSync(place, { recursive: true, force: true });
  };
  try {
    await execute('mkfs.ext4', ['-q', '-F', '-b', String(blockBytes), '-E', 'lazy_itable_init=0', image]);
    await mount();
  } catch (error) {
    await remove().catch(() => {});
    throw error;
  }
  return {
    folder,
    cut: () => power!.cut(),
    async restore() {
      await unmount();
      await mount();
    },
    remove,
  };
}

/** A killed process may hold its files for a moment. */
async function unmounted(folder: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await execute('umount', [folder]);
      return;
    } catch (error) {
      if (tries === 50) throw error;
      await sleep(100);
    }
  }
}

interface Power {
  cut(): Promise<void>;
  leave(): void;
}

/** Starts the process that will cut the power, so that the cut itself takes no time. */
async function openPower(folder: string): Promise<Power> {
  const child = spawn('perl', ['-MIO::Handle', '-e', cutter, folder], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const gone = once(child, 'exit');
  const isReady = await Promise.race([once(child.stdout, 'data').then(() => true), gone.then(() => false)]);
  if (!isReady) throw new Error(`perl has ended: ${said}`);
  return {
    async cut() {
      child.stdin.end('cut\n');
      const [code] = await gone;
      if (code !== 0) throw new Error(`The power could not be cut: ${said}`);
    },
    leave: () => void child.kill('SIGKILL'),
  };
}
