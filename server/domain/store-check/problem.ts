/** What is not as it should be in a store. */
type ProblemKind =
  | 'database'
  | 'counter'
  | 'missing-bytes'
  | 'wrong-size'
  | 'damaged-bytes'
  | 'bytes-without-row'
  | 'usage-day'
  | 'content-without-file';

export interface StoreProblem {
  readonly kind: ProblemKind;
  /** The id of what it is about: an account, a content, a blob. Empty for the whole database. */
  readonly subject: string;
  /** One sentence for the operator. */
  readonly detail: string;
  /** What was done about it; null if it is still there. */
  readonly repair: string | null;
}

/** How far a check has come. */
export interface CheckStep {
  readonly doing: string;
  readonly done?: number;
  readonly total?: number;
}
