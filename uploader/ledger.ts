import type { Job } from './job.ts';
import type { ResumeRecord } from './resume-store.ts';

/**
 * The record of one upload while it is in use. What it says of a part holds for the bytes that the server keeps of it,
 * whenever the page ends: a part is written down before it is first sent, and crossed out before others take its place.
 */
export interface Ledger {
  /** SHA-256 of what the server keeps of a part, if it keeps any; undefined when nothing is known of it. */
  sumOf(part: number): string | undefined;
  /** The server keeps a part of which nothing is known. */
  distrust(part: number): void;
  willSend(part: number, sha256: string): Promise<void>;
  hasSent(part: number, sha256: string): Promise<void>;
  /** Remembers that the file may be there from now on. */
  markCompleting(): Promise<void>;
}

/** @param begun the record as it was read or is to be kept; it is written with the first change */
export function openLedger(resume: Job['resume'], begun: ResumeRecord): Ledger {
  const sums: Record<number, string> = { ...begun.partSha256 };
  const distrusted = new Set<number>();
  let record = begun;
  let written: Promise<unknown> = Promise.resolve();
  const write = async (): Promise<void> => {
    if (!resume) return;
    const next = (record = { ...record, partSha256: { ...sums } });
    // One after the other: a store may take its time, and the last one must be the last.
    await (written = written.then(() => resume.store.set(resume.key, next)));
  };
  return {
    sumOf: (part) => sums[part],
    distrust: (part) => void distrusted.add(part),
    async willSend(part, sha256) {
      const known = sums[part];
      if (known === sha256 || (known === undefined && distrusted.has(part))) return;
      if (known === undefined) sums[part] = sha256;
      else delete sums[part];
      await write();
    },
    async hasSent(part, sha256) {
      if (sums[part] === sha256) return;
      sums[part] = sha256;
      await write();
    },
    async markCompleting() {
      record = { ...record, completingAt: Date.now() };
      await write();
    },
  };
}
