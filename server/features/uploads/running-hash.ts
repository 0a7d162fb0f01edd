import { createHash, type Hash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { StoredPart } from './chunked-upload.ts';

/** The SHA-256 of an upload's first parts, and their sequences. A replaced part has another sequence. */
interface HashedParts {
  readonly sequences: readonly number[];
  readonly hash: Hash;
}

/** The SHA-256 of an upload's first parts and of the next one, which is being received. */
interface FollowingHash {
  /** The caller updates it with the bytes of the part. */
  readonly hash: Hash;
  /** Keeps the hash once the part is stored under this sequence. */
  keep(sequence: number): void;
}

/**
 * Computes the SHA-256 of uploads while their parts arrive in order. It only saves time: it is in the memory of one
 * process, and reads the stored parts that it does not know. Each result is for exactly the requested parts.
 */
export class RunningHashCache {
  /** By upload: some hundred bytes each, and a number for each part. */
  readonly #kept = new LRUCache<string, HashedParts>({ max: 1000 });
  /** Contents that are being read, so that parallel completions read them once. */
  readonly #reading = new Map<string, Promise<string>>();

  /**
   * Returns the hash to update with a part that is about to arrive. Returns undefined if not all parts before it are
   * hashed.
   */
  follow(uploadId: string, part: number): FollowingHash | undefined {
    const before = part === 1 ? undefined : this.#kept.get(uploadId);
    if ((before?.sequences.length ?? 0) !== part - 1) return undefined;
    const hash = before?.hash.copy() ?? createHash('sha256');
    return {
      hash,
      keep: (sequence) => {
        if (part === 1 || this.#kept.get(uploadId) === before)
          this.#kept.set(uploadId, { sequences: [...(before?.sequences ?? []), sequence], hash });
        else this.drop(uploadId, part);
      },
    };
  }

  /** Drops a hash that includes this part, because the part was replaced without being followed. */
  drop(uploadId: string, part: number): void {
    if ((this.#kept.get(uploadId)?.sequences.length ?? 0) >= part) this.#kept.delete(uploadId);
  }

  /**
   * Notes that one part, stored under this sequence, has taken the place of the parts from number `first` to `last`.
   */
  merge(uploadId: string, first: number, last: number, sequence: number): void {
    const kept = this.#kept.get(uploadId);
    if (!kept || kept.sequences.length < first) return;
    if (kept.sequences.length !== last) return this.forget(uploadId);
    this.#kept.set(uploadId, { sequences: [...kept.sequences.slice(0, first - 1), sequence], hash: kept.hash });
  }

  forget(uploadId: string): void {
    this.#kept.delete(uploadId);
  }

  /** Returns the SHA-256 of exactly these parts, if it is known. */
  known(uploadId: string, parts: readonly StoredPart[]): string | undefined {
    const kept = this.#fitting(uploadId, parts);
    return kept?.sequences.length === parts.length ? kept.hash.copy().digest('hex') : undefined;
  }

  /**
   * Returns the SHA-256 of exactly these parts of `revision`. Reads the parts that are not hashed yet. If a read fails,
   * the next call continues at that part.
   */
  async of(
    uploadId: string,
    revision: number,
    parts: readonly StoredPart[],
    read: (part: StoredPart) => AsyncIterable<Uint8Array>,
  ): Promise<string> {
    // Two completions of one revision may list different parts.
    const name = [uploadId, revision, ...parts.map(({ sequence }) => sequence)].join(' ');
    let reading = this.#reading.get(name);
    if (!reading) {
      reading = this.#read(uploadId, parts, read).finally(() => this.#reading.delete(name));
      this.#reading.set(name, reading);
    }
    return reading;
  }

  async #read(
    uploadId: string,
    parts: readonly StoredPart[],
    read: (part: StoredPart) => AsyncIterable<Uint8Array>,
  ): Promise<string> {
    let { sequences, hash }: HashedParts = this.#fitting(uploadId, parts) ?? {
      sequences: [],
      hash: createHash('sha256'),
    };
    for (const part of parts.slice(sequences.length)) {
      hash = hash.copy();
      for await (const chunk of read(part)) hash.update(chunk);
      sequences = [...sequences, part.sequence];
      this.#kept.set(uploadId, { sequences, hash });
    }
    return hash.copy().digest('hex');
  }

  #fitting(uploadId: string, parts: readonly StoredPart[]): HashedParts | undefined {
    const kept = this.#kept.get(uploadId);
    return kept?.sequences.every((sequence, index) => parts[index]?.sequence === sequence) ? kept : undefined;
  }
}
