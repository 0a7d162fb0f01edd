import type { BlobQuarantine, BlobStore } from '../ports/blobs.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { BlobSources } from './blob-repair.ts';
import { checkContent } from './check-bytes.ts';
import type { StoreProblem } from './problem.ts';
import type { HashedContent, ScrubPosition } from './table.ts';

/** How the scrub works. */
export interface ScrubSettings {
  /** The time in which every byte is read once. Null: it runs only when an operator starts it. */
  readonly periodMs: number | null;
  readonly blobs: BlobStore;
  readonly quarantine: BlobQuarantine;
  /** Opens the backup that repairs take bytes from. Undefined if no target is set. */
  readonly openBackup: (() => Promise<NonNullable<BlobSources['backup']> & AsyncDisposable>) | undefined;
  /** Called when the backup cannot be opened. */
  onNoBackup(error: unknown): void;
  /** A monotonic clock, in milliseconds. */
  readonly nowMs: () => number;
  pause(ms: number): Promise<void>;
  /** Called for each damaged content that is found, each time that it is read. */
  onDamage(problem: StoreProblem): void;
  onRead(bytes: number): void;
}

interface Deps {
  readonly metadata: Metadata;
  readonly scrub?: ScrubSettings | undefined;
  readonly signal?: AbortSignal;
}

/** A run ends after this time, because other jobs wait for it. The next one goes on. */
const longestRunMs = 60_000;

/** After this much work it rests for as long, so it uses at most half of an idle disk. */
const workMs = 50;

const pageRows = 50;

/**
 * Reads the contents that are due and compares them with their hashes. A round through all of them takes `periodMs`:
 * the time since it began decides how many are due. All are due in a round that an operator requested. Damage is
 * reported, and repaired from a backup if there is one.
 *
 * @returns how many contents are damaged and could not be repaired
 */
export async function scrub({ metadata, scrub: settings, signal }: Deps, now: number): Promise<number> {
  if (!settings) return 0;
  const known = await metadata.read.storeCheck.scrubPosition();
  if (settings.periodMs === null && !isRequested(known)) return 0;
  const mayBeNoted = (await metadata.read.storeCheck.damagedCount()) > 0;
  const run = new ScrubRun(metadata, settings, signal ?? new AbortController().signal, { mayBeNoted, known });
  await run.from(now);
  return run.damaged;
}

/** Whether an operator requested this round, and it has not read everything yet. */
export function isRequested(position: ScrubPosition | undefined): boolean {
  return position !== undefined && position.requestedAt !== null && position.endedAt === null;
}

/** Returns the beginning of a round. */
export function begunRound(now: number, requestedAt: number | null = null): ScrubPosition {
  return { beganAt: now, readBytes: 0, readFiles: 0, lastContentId: '', requestedAt, endedAt: null };
}

class ScrubRun {
  damaged = 0;
  readonly #metadata: Metadata;
  readonly #settings: ScrubSettings;
  readonly #signal: AbortSignal;
  readonly #endsAt: number;
  readonly #mayBeNoted: boolean;
  #workedSince: number;
  /** The position as it is stored. */
  #position: ScrubPosition | undefined;
  /** Whether somebody else has begun another round meanwhile. */
  #isReplaced = false;

  constructor(
    metadata: Metadata,
    settings: ScrubSettings,
    signal: AbortSignal,
    { mayBeNoted, known }: { readonly mayBeNoted: boolean; readonly known: ScrubPosition | undefined },
  ) {
    this.#mayBeNoted = mayBeNoted;
    this.#metadata = metadata;
    this.#settings = settings;
    this.#signal = signal;
    this.#position = known;
    this.#workedSince = settings.nowMs();
    this.#endsAt = this.#workedSince + longestRunMs;
  }

  async from(now: number): Promise<void> {
    // After a clock that was put back, the round begins anew.
    const isWrong = this.#position === undefined || (this.#position.beganAt > now && !isRequested(this.#position));
    let position = isWrong ? await this.#save(begunRound(now)) : this.#position!;
    const dueBytes = await this.#dueBytes(position, now);
    while (position.readBytes < dueBytes && !this.#isOver()) {
      const page = await this.#metadata.read.storeCheck.hashed(position.lastContentId, pageRows);
      if (page.length === 0) return this.#endRound(position, now);
      let { readBytes, readFiles, lastContentId } = position;
      for (const hashed of page) {
        if (readBytes >= dueBytes || this.#isOver()) break;
        await this.#read(hashed);
        readBytes += hashed.sizeBytes;
        readFiles += 1;
        lastContentId = hashed.contentId;
      }
      position = await this.#save({ ...position, readBytes, readFiles, lastContentId });
    }
  }

  /** Returns what the round should have read by now. */
  async #dueBytes(position: ScrubPosition, now: number): Promise<number> {
    const { periodMs } = this.#settings;
    const elapsedMs = now - position.beganAt;
    if (isRequested(position) || periodMs === null || elapsedMs >= periodMs) return Infinity;
    const { bytes } = await this.#metadata.read.accounts.sums();
    return (bytes * elapsedMs) / periodMs;
  }

  /** The next round begins when this one should have ended. */
  async #endRound(position: ScrubPosition, now: number): Promise<void> {
    const { periodMs } = this.#settings;
    if (periodMs !== null && now - position.beganAt >= periodMs) await this.#save(begunRound(now));
    else if (position.endedAt === null) await this.#save({ ...position, endedAt: now });
  }

  async #read(hashed: HashedContent): Promise<void> {
    const { blobs, quarantine, openBackup, onNoBackup, onDamage } = this.#settings;
    const sources = { blobs, quarantine, backup: undefined };
    const options = {
      signal: this.#signal,
      onBytes: (bytes: number) => this.#rest(bytes),
      mayBeNoted: this.#mayBeNoted,
    };
    try {
      let found = await checkContent({ metadata: this.#metadata, sources }, hashed, { ...options, repairs: false });
      if (found && openBackup) {
        // Without the backup a damaged file is only reported, and the scrub goes on.
        await using backup = await openBackup().catch((error: unknown) => void onNoBackup(error));
        const deps = { metadata: this.#metadata, sources: { blobs, quarantine, backup } };
        if (backup) found = (await checkContent(deps, hashed, { ...options, repairs: true })) ?? found;
      }
      if (!found) return;
      if (found.problem.repair === null) this.damaged += 1;
      onDamage(found.problem);
    } catch (error) {
      if (!this.#signal.aborted) throw error;
    }
  }

  async #rest(bytes: number): Promise<void> {
    this.#settings.onRead(bytes);
    const worked = this.#settings.nowMs() - this.#workedSince;
    if (worked < workMs) return;
    await this.#settings.pause(worked);
    this.#workedSince = this.#settings.nowMs();
  }

  #isOver(): boolean {
    return this.#signal.aborted || this.#isReplaced || this.#settings.nowMs() > this.#endsAt;
  }

  /** A position that is lost costs only some reading. An operator may have begun another round meanwhile. */
  async #save(position: ScrubPosition): Promise<ScrubPosition> {
    const before = this.#position;
    this.#isReplaced = await this.#metadata.atomically(
      async (tx) => {
        const stored = await tx.storeCheck.scrubPosition();
        if (stored?.beganAt !== before?.beganAt || stored?.requestedAt !== before?.requestedAt) return true;
        await tx.storeCheck.saveScrubPosition(position);
        return false;
      },
      { isDurable: false },
    );
    this.#position = position;
    return position;
  }
}
