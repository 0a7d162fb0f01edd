/** The kinds of state that modules of the server keep between two calls. */
export interface StateByKind {
  /** Made for one request, one file or one transaction, and dropped with it. */
  readonly request?: readonly string[];
  /** The work of one command of the operator, which stores its progress in the source of the move. */
  readonly command?: readonly string[];
  /** Counts of this process for the metrics, which are added up over processes. */
  readonly counts?: readonly string[];
  /** Data that this process has yet to store or send, and loses when it is killed. */
  readonly unsaved?: readonly string[];
  /** Values that this process has read or computed, and that another can read or compute for itself. */
  readonly computed?: readonly string[];
  /** Connections, threads, programs and files of this process. */
  readonly resources?: readonly string[];
  /** The script of a page, which runs in browsers. */
  readonly script?: readonly string[];
  /** Running and waiting work of this process. */
  readonly work?: readonly string[];
  /** Observations that limit the work of this process, and need not be exact. */
  readonly observations?: readonly string[];
}

/** What the tests of the architecture list of the files of a feature: `test/features/<feature>/architecture.ts`. */
export interface Listed {
  /** Modules that keep state between two calls. */
  readonly stateful: StateByKind;
  /** Files that make connections or run programs that do, and who chooses the destination. */
  readonly outbound: Readonly<Record<string, string>>;
}
