import type { Metadata } from '../ports/metadata.ts';
import type { BlobSources } from './blob-repair.ts';
import type { CheckStep } from './problem.ts';

/** What a check of the store needs. */
export interface CheckDeps {
  readonly metadata: Metadata;
  readonly sources: BlobSources;
  /** Returns what the database itself finds wrong with its files and indexes, one sentence each. */
  readonly databaseProblems: () => Promise<string[]>;
}

export interface CheckOptions {
  readonly repairs: boolean;
  /** Whether all bytes are read and compared with their hashes. */
  readonly readsBytes: boolean;
  readonly signal: AbortSignal;
  readonly onStep: (step: CheckStep) => void;
}
