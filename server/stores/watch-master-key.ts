import type { MasterKeyRotation } from '#server/domain/master-key/rotation.ts';
import { checkInForce } from '#server/domain/master-key/rotation.ts';
import type { KeyRing } from './system/key-ring.ts';
import { MasterKeyUnusable } from './system/master-key.ts';
import { openKeys } from './system/rotated-keys.ts';

/**
 * How often a process looks for a rotation of the master key. A rotation waits for several times this long before
 * anything is signed with a new key, so that every server knows it by then.
 */
export const reloadKeysMs = 2_000;

/** A signature or a text of an unknown key causes another look, at most this often, so that guesses cost nothing. */
const soonestMs = 1_000;

interface WatchOptions {
  readonly ring: KeyRing;
  readonly lastRotation: () => Promise<MasterKeyRotation | undefined>;
  readonly now: () => number;
  /** Called after the current key has changed. */
  readonly onCurrent: () => Promise<void>;
  readonly onFault: (error: unknown) => void;
  /** Called if the key in force cannot be opened, so that this process would write what no other one can read. */
  readonly onLost: (error: MasterKeyUnusable) => void;
  readonly everyMs: number;
}

/** Keeps the ring of a process as the database says. */
export interface MasterKeyWatch {
  /** Reads the rotation now. */
  reload(): Promise<void>;
  /** Reads it soon, unless that was just done. */
  reloadSoon(): void;
  stop(): Promise<void>;
}

export function watchMasterKey(options: WatchOptions): MasterKeyWatch {
  const { onFault, everyMs } = options;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isFailing = false;
  let lastAt = -Infinity;
  let running: Promise<void> | undefined;
  const reload = (): Promise<void> => {
    lastAt = performance.now();
    running ??= follow(options).finally(() => (running = undefined));
    return running;
  };
  const quietly = (): Promise<void> =>
    reload().then(
      () => void (isFailing = false),
      (error: unknown) => {
        // The database tells its failures itself, and this would repeat them every two seconds.
        if (!isFailing) onFault(error);
        isFailing = true;
      },
    );
  const later = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => void quietly().then(later), everyMs).unref();
  };
  later();
  return {
    reload,
    reloadSoon() {
      if (!isStopped && performance.now() - lastAt >= soonestMs) void quietly();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running?.catch(() => {});
    },
  };
}

async function follow({ ring, lastRotation, now, onCurrent, onLost }: WatchOptions): Promise<void> {
  const rotation = await lastRotation();
  if (!rotation) return;
  const [before] = ring.keys;
  const known = ring.keys.map(({ bytes }) => bytes);
  const keys = openKeys(known, { check: checkInForce(rotation), rotation }, now());
  if (!keys)
    return onLost(
      new MasterKeyUnusable(
        `The master key number ${rotation.number} is in force, and this server cannot open it with the keys that ` +
          'it has. Give it that key, then start it again.',
      ),
    );
  ring.replace(keys);
  if (keys[0].number !== before.number) await onCurrent();
}
