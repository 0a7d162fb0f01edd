import type { BlobQuarantine, BlobStore } from '../ports/blobs.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { BlobSources } from './blob-repair.ts';
import { checkContent } from './check-bytes.ts';
import type { StoreProblem } from './problem.ts';
import type { HashedContent, ScrubPosition } from './table.ts';

/** How the scrub works. */
export interface ScrubSettings {
  /** In so many milliseconds every byte is read once. */
  readonly periodMs: number;
  readonly blobs: BlobStore;
  readonly quarantine: BlobQuarantine;
  /** Opens the backup that repairs take bytes from. Undefined if no target is set. */
  readonly openBackup: (() => Promise<NonNullable<BlobSources['backup']> & AsyncDisposable>) | undefined;
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

/** After so much work, it rests for as long. So it takes half of a disk that nobody else uses. */
const workMs = 50;

const pageRows = 50;

/**
 * Reads the contents that are due and compares them with their hashes. A round through all of them takes `periodMs`, so
 * what is due follows from the time since it began. Damage is reported, and repaired from a backup if there is one.
 *
 * @returns how many contents are damaged and could not be repaired
 */
export async function scrub({ metadata, scrub: settings, signal }: Deps, now: number): Promise<number> {
  if (!settings) return 0;
  const mayBeNoted = (await metadata.read.storeCheck.damagedCount()) > 0;
  const run = new ScrubRun(metadata, settings, signal ?? new AbortController().signal, mayBeNoted);
  const known = (await metadata.read.storeCheck.scrubPosition()) ?? begun(now);
  const totalBytes = (await metadata.read.accounts.list()).reduce((sum, { usedBytes }) => sum + usedBytes, 0);
  // After a clock that was put back, the round begins anew.
  const position = known.beganAt > now ? begun(now) : known;
  await run.from(position, (totalBytes * (now - position.beganAt)) / settings.periodMs, now);
  return run.damaged;
}

function begun(now: number): ScrubPosition {
  return { beganAt: now, readBytes: 0, lastContentId: '' };
}

class ScrubRun {
  damaged = 0;
  readonly #metadata: Metadata;
  readonly #settings: ScrubSettings;
  readonly #signal: AbortSignal;
  readonly #endsAt: number;
  readonly #mayBeNoted: boolean;
  #workedSince: number;

  constructor(metadata: Metadata, settings: ScrubSettings, signal: AbortSignal, mayBeNoted: boolean) {
    this.#mayBeNoted = mayBeNoted;
    this.#metadata = metadata;
    this.#settings = settings;
    this.#signal = signal;
    this.#workedSince = settings.nowMs();
    this.#endsAt = this.#workedSince + longestRunMs;
  }

  /** @param dueBytes what the round should have read by now */
  async from(position: ScrubPosition, dueBytes: number, now: number): Promise<void> {
    let [{ readBytes }, last] = [position, position.lastContentId];
    while (readBytes <= dueBytes && !this.#isOver()) {
      const page = await this.#metadata.read.storeCheck.hashed(last, pageRows);
      if (page.length === 0) return this.#endRound(position, now);
      for (const hashed of page) {
        if (readBytes > dueBytes || this.#isOver()) break;
        await this.#read(hashed);
        readBytes += hashed.sizeBytes;
        last = hashed.contentId;
      }
      await this.#save({ beganAt: position.beganAt, readBytes, lastContentId: last });
    }
  }

  /** The next round begins when this one should have ended. */
  async #endRound({ beganAt }: ScrubPosition, now: number): Promise<void> {
    if (now - beganAt >= this.#settings.periodMs) await this.#save(begun(now));
  }

  async #read(hashed: HashedContent): Promise<void> {
    const { blobs, quarantine, openBackup, onDamage } = this.#settings;
    const sources = { blobs, quarantine, backup: undefined };
    const options = {
      signal: this.#signal,
      onBytes: (bytes: number) => this.#rest(bytes),
      mayBeNoted: this.#mayBeNoted,
    };
    try {
      let found = await checkContent({ metadata: this.#metadata, sources }, hashed, { ...options, repairs: false });
      if (found && openBackup) {
        await using backup = await openBackup();
        const withBackup = { blobs, quarantine, backup };
        const deps = { metadata: this.#metadata, sources: withBackup };
        found = (await checkContent(deps, hashed, { ...options, repairs: true })) ?? found;
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
    return this.#signal.aborted || this.#settings.nowMs() > this.#endsAt;
  }

  /** A position that is lost costs only some reading. */
  #save(position: ScrubPosition): Promise<void> {
    return this.#metadata.atomically((tx) => tx.storeCheck.saveScrubPosition(position), { isDurable: false });
  }
}
