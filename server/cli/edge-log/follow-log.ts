import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { LogCheckpoint } from '#server/domain/edge-errors/log-checkpoint.ts';
import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import type { FileSummary } from './file-summary.ts';
import { LogCounter, type CountingDeps } from './log-counter.ts';
import { inodeOf, LogFile } from './log-file.ts';
import { readLog } from './read-logs.ts';
import { rotationsOf } from './rotations.ts';

/** How patient following is. In milliseconds. */
export interface FollowPace {
  /** How often a file is looked at. */
  readonly pollMs: number;
  /** For so long behind a rotation its writer may go on with the old file. */
  readonly rotationGraceMs: number;
  /** A proxy that goes on with a file that has been rotated away is not waited for longer. */
  readonly maxSettlingMs: number;
  /** How long it waits before it asks a database again that somebody else holds. */
  readonly busyPauseMs: number;
}

const usualPace: FollowPace = { pollMs: 500, rotationGraceMs: 2000, maxSettlingMs: 10_000, busyPauseMs: 1000 };

interface Following extends CountingDeps {
  readonly path: string;
  /** All that the command follows. */
  readonly paths: readonly string[];
  /** Inodes of the files that are read now: one that lies under two names is read once. */
  readonly held: Set<string>;
  readonly summary: FileSummary;
  /** Aborted when following is to end; what has been read is stored then. */
  readonly signal: AbortSignal;
  readonly pace: FollowPace;
}

/**
 * Reads a log as it grows, through rotations of both kinds (a new file under its name, or the same one cut off and begun
 * anew), until it is told to end. A file that is not there yet is waited for.
 */
export async function followLog(given: Omit<Following, 'pace'> & Partial<Pick<Following, 'pace'>>): Promise<void> {
  const { pace = usualPace, path, signal } = given;
  const following = { ...given, pace, persist: patiently(signal, pace) };
  while (!signal.aborted) {
    const file = await LogFile.open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    if (!file) {
      await pause(pace.pollMs, signal);
      continue;
    }
    if (following.held.has(file.inode)) {
      await file.close();
      await pause(pace.pollMs, signal);
      continue;
    }
    following.held.add(file.inode);
    try {
      await readRotated(following);
      await followFile(following, file);
    } finally {
      following.held.delete(file.inode);
      await file.close();
    }
  }
}

/**
 * What was written to files that have been rotated away while nobody looked: those that were read, but not to their end, and
 * those that were written on after the log was last read and never stood under its name when anybody looked.
 */
async function readRotated(following: Following): Promise<void> {
  const { path, paths, metadata, appId, summary, pace, signal } = following;
  const folder = dirname(path);
  const checkpoints = await metadata.read.edgeLogs.listOf(appId);
  const lastReadAt = Math.max(
    -Infinity,
    ...checkpoints.filter((checkpoint) => checkpoint.path === path).map(({ movedAt }) => movedAt),
  );
  const others = rotationsOf(basename(path), await readdir(folder).catch(() => []))
    .map((name) => join(folder, name))
    .filter((other) => !paths.includes(other));
  const known: string[] = [];
  for (const other of others) {
    // The old file may have been read for a while after the rotation.
    const isNews = (await writtenAt(other)) >= lastReadAt - pace.rotationGraceMs;
    if (isNews) await settled(other, pace, signal);
    const ofEither = checkpoints.filter((checkpoint) => checkpoint.path === path || checkpoint.path === other);
    if (await isKnown(other, ofEither)) known.push(other);
    else if (isNews) await readNew(following, other, checkpoints);
  }
  // The last: from then on the log counts as read until now.
  for (const other of known) await readLog(following, other, summary);
}

/** Reads a rotated file that was never read, unless it is half copied or half compressed. */
async function readNew(following: Following, path: string, checkpoints: readonly LogCheckpoint[]): Promise<void> {
  const file = await LogFile.open(path).catch(() => undefined);
  if (!file) return;
  try {
    if (await file.beginsLikeOneOf(checkpoints)) return;
    for await (const _ of file.from(0));
  } catch {
    return;
  } finally {
    await file.close();
  }
  await readLog(following, path, following.summary);
}

/** Waits while a file is still being written, as a copy may be; not for ever. */
async function settled(
  path: string,
  { pollMs, rotationGraceMs, maxSettlingMs }: FollowPace,
  signal: AbortSignal,
): Promise<void> {
  for (
    let waitedMs = 0;
    waitedMs < maxSettlingMs && !signal.aborted && Date.now() - (await writtenAt(path)) < rotationGraceMs;
    waitedMs += pollMs
  )
    await pause(pollMs, signal);
}

/** When a file was last written, in ms; one that is not there was never. */
async function writtenAt(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.mtimeMs : -Infinity;
}

async function isKnown(path: string, checkpoints: readonly LogCheckpoint[]): Promise<boolean> {
  const file = await LogFile.open(path).catch(() => undefined);
  if (!file) return false;
  try {
    return (await file.positionAmong(checkpoints)) !== undefined;
  } catch {
    // Half compressed, for instance: the next rotation looks again.
    return false;
  } finally {
    await file.close();
  }
}

/** Until the file is no longer the one under its name, or was begun anew. */
async function followFile(following: Following, file: LogFile): Promise<void> {
  const { path, signal, summary, pace } = following;
  const counter = await LogCounter.open(following, file, summary);
  for (let rotatedAt: number | undefined; ;) {
    // The rest of what was cut off may stand in a copy, so a line that was begun is left to that.
    if (!(await isContinued(file, counter))) return counter.store();
    const before = counter.readOffset;
    await readOn(file, counter, signal);
    if (signal.aborted) return counter.end({ isFinal: false });
    const isIdle = counter.readOffset === before;
    if (file.isCompressed) return finishCompressed(following, file, counter);
    if (!isIdle) continue;
    if (await isUnderName(file, path)) rotatedAt = undefined;
    else rotatedAt ??= performance.now();
    if (rotatedAt !== undefined && performance.now() - rotatedAt >= pace.rotationGraceMs)
      return counter.end({ isFinal: true });
    await pause(pace.pollMs, signal);
  }
}

/** Nobody writes on a compressed log; it is left when another takes its name. */
async function finishCompressed({ path, signal, pace }: Following, file: LogFile, counter: LogCounter): Promise<void> {
  await counter.end({ isFinal: true });
  while (!signal.aborted && (await isUnderName(file, path))) await pause(pace.pollMs, signal);
}

async function readOn(file: LogFile, counter: LogCounter, signal: AbortSignal): Promise<void> {
  await counter.takeFrom(file, signal);
  if (!signal.aborted) await counter.store();
}

/** Whether the file still holds what was read of it, so that what follows belongs to that. */
async function isContinued(file: LogFile, { readOffset, recent }: LogCounter): Promise<boolean> {
  return file.isCompressed || (await file.bytesAt(readOffset - recent.length, recent.length)).equals(recent);
}

async function isUnderName(file: LogFile, path: string): Promise<boolean> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found !== undefined && inodeOf(found) === file.inode;
}

/** While somebody else holds the database, nothing is lost by waiting. */
function patiently(signal: AbortSignal, { busyPauseMs }: FollowPace): NonNullable<CountingDeps['persist']> {
  return async (write) => {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof MetadataUnavailable) || signal.aborted) throw error;
        await pause(busyPauseMs, signal);
      }
    }
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
