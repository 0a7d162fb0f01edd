import type { Job } from './job.ts';
import type { ResumeRecord } from './resume-store.ts';

/**
 * Updates the record of one upload while the upload runs. A checksum in the record always matches the bytes that the
 * server keeps, even if the page ends abruptly. For this, a part is recorded before it is first sent, and deleted
 * before other bytes replace it.
 */
export interface RecordWriter {
  /** SHA-256 of the stored bytes of a part. Undefined when nothing is known about it. */
  sumOf(part: number): string | undefined;
  /** Marks a part that the server keeps but whose bytes are unknown. */
  distrust(part: number): void;
  willSend(part: number, sha256: string): Promise<void>;
  hasSent(part: number, sha256: string): Promise<void>;
  /** Records that the file may exist from now on. */
  markCompleting(): Promise<void>;
}

/** @param begun the record as it was read, or a new one, which is written with the first change */
export function recordWriter(resume: Job['resume'], begun: ResumeRecord): RecordWriter {
  const sums: Record<number, string> = { ...begun.partSha256 };
  const distrusted = new Set<number>();
  let record = begun;
  let written: Promise<unknown> = Promise.resolve();
  const write = async (): Promise<void> => {
    if (!resume) return;
    const next = (record = { ...record, partSha256: { ...sums } });
    // Writes run one after the other, because a slow store could otherwise keep an older record.
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
