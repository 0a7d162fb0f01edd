import type { BlobMove } from './copy-blobs.ts';
import type { MoveRecord } from './record.ts';
import type { SourceRows, TableShape, TargetRows } from './rows.ts';

/** A move under way: its two sides, and what it has done. */
export interface Move {
  readonly source: SourceRows;
  /** Undefined if the rows stay where they are. */
  readonly target: TargetRows | undefined;
  /** Undefined if the blobs stay where they are. */
  readonly blobs: BlobMove | undefined;
  /** The tables that are read. */
  readonly tables: readonly TableShape[];
  record: MoveRecord;
  /** Changes that were copied after their rows. */
  changes: number;
  readonly signal: AbortSignal;
  /** Called at each step. */
  readonly onStep: (step: MoveStep) => void;
}

/** What a move does at the moment. `done` of `total` rows. */
export interface MoveStep {
  readonly doing: 'copying' | 'catching up' | 'verifying' | 'switching';
  readonly table?: string;
  readonly done?: number;
  readonly total?: number;
}
