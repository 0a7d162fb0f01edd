import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { LogCheckpoint } from '../../log-checkpoint.ts';
import { MetadataFailed } from '#server/domain/ports/metadata.ts';
import type { FileSummary } from './file-summary.ts';
import { LogCounter, type CountingDeps } from './log-counter.ts';
import { inodeOf, LogFile } from './log-file.ts';
import { readLog } from './read-logs.ts';
import { rotationsOf } from './rotations.ts';

/** Intervals and limits of following, in milliseconds. */
export interface FollowPace {
  /** How often a file is checked. */
  readonly pollMs: number;
  /** After a rotation, the proxy may write to the old file for this long. */
  readonly rotationGraceMs: number;
  /** The longest wait for a proxy that keeps writing to a rotated file. */
  readonly maxSettlingMs: number;
  /** The wait before the next attempt at a database that another process holds. */
  readonly busyPauseMs: number;
}

const usualPace: FollowPace = { pollMs: 500, rotationGraceMs: 2000, maxSettlingMs: 10_000, busyPauseMs: 1000 };

interface Following extends CountingDeps {
  readonly path: string;
  /** All files that the command follows. */
  readonly paths: readonly string[];
  /** Inodes of the open files. A file with two names is read once. */
  readonly openInodes: Set<string>;
  readonly summary: FileSummary;
  /** Ends following, and stores the counts of the lines that were read. */
  readonly signal: AbortSignal;
  readonly pace: FollowPace;
}

/**
 * Reads a growing log until the signal ends it. Follows rotation by renaming and by truncation. Waits for a file that
 * does not exist yet.
 */
export async function followLog(given: Omit<Following, 'pace'> & Partial<Pick<Following, 'pace'>>): Promise<void> {
  const { pace = usualPace, path, signal } = given;
  const following = { ...given, pace, persist: patiently(signal, pace) };
  while (!signal.aborted) {
    await using file = await LogFile.open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    if (!file || following.openInodes.has(file.inode)) {
      await pause(pace.pollMs, signal);
      continue;
    }
    following.openInodes.add(file.inode);
    try {
      await readRotated(following);
      await followFile(following, file);
    } finally {
      following.openInodes.delete(file.inode);
    }
  }
}

/**
 * Reads what was written to rotated files while nothing followed the log. These are files that were not read to their
 * end, and files that were rotated away before anything saw them.
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
    // A partly compressed file cannot be read. The next rotation checks it again.
    if (await isKnown(other, ofEither).catch(() => false)) known.push(other);
    else if (isNews) await readNew(following, other, checkpoints);
  }
  // These come last: afterwards the log counts as read until now.
  for (const other of known) await readLog(following, other, summary);
}

/** Reads a rotated file that was never read, unless it is only partly copied or compressed. */
async function readNew(following: Following, path: string, checkpoints: readonly LogCheckpoint[]): Promise<void> {
  if (await isNewAndWhole(path, checkpoints).catch(() => false)) await readLog(following, path, following.summary);
}

async function isNewAndWhole(path: string, checkpoints: readonly LogCheckpoint[]): Promise<boolean> {
  await using file = await LogFile.open(path);
  if (await file.beginsLikeOneOf(checkpoints)) return false;
  for await (const _ of file.from(0));
  return true;
}

/** Waits while a file is still being written, such as a copy, up to a limit. */
async function settled(
  path: string,
  { pollMs, rotationGraceMs, maxSettlingMs }: FollowPace,
  signal: AbortSignal,
): Promise<void> {
  const untilMs = performance.now() + maxSettlingMs;
  while (performance.now() < untilMs && !signal.aborted && Date.now() - (await writtenAt(path)) < rotationGraceMs)
    await pause(pollMs, signal);
}

/** Returns when a file was last written, in ms, or -Infinity if it does not exist. */
async function writtenAt(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.mtimeMs : -Infinity;
}

async function isKnown(path: string, checkpoints: readonly LogCheckpoint[]): Promise<boolean> {
  await using file = await LogFile.open(path);
  return (await file.positionAmong(checkpoints)) !== undefined;
}

/** Follows a file until another one takes its name, or until it is truncated. */
async function followFile(following: Following, file: LogFile): Promise<void> {
  const { path, signal, summary, pace } = following;
  const counter = await LogCounter.open(following, file, summary);
  for (let rotatedAt: number | undefined; ;) {
    // The rest of a truncated line may be in a copy of the file, so the unfinished line is dropped here.
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

/** A compressed log does not grow. Waits until another file takes its name. */
async function finishCompressed({ path, signal, pace }: Following, file: LogFile, counter: LogCounter): Promise<void> {
  await counter.end({ isFinal: true });
  while (!signal.aborted && (await isUnderName(file, path))) await pause(pace.pollMs, signal);
}

async function readOn(file: LogFile, counter: LogCounter, signal: AbortSignal): Promise<void> {
  await counter.takeFrom(file, signal);
  if (!signal.aborted) await counter.store();
}

/** Returns whether the bytes read last are unchanged, so that the bytes after them continue the same log. */
async function isContinued(file: LogFile, { readOffset, recent }: LogCounter): Promise<boolean> {
  return file.isCompressed || (await file.bytesAt(readOffset - recent.length, recent.length)).equals(recent);
}

async function isUnderName(file: LogFile, path: string): Promise<boolean> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found !== undefined && inodeOf(found) === file.inode;
}

/** Waits while another process holds the database. Nothing is lost meanwhile. */
function patiently(signal: AbortSignal, { busyPauseMs }: FollowPace): NonNullable<CountingDeps['persist']> {
  return async (write) => {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof MetadataFailed) || signal.aborted) throw error;
        await pause(busyPauseMs, signal);
      }
    }
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
