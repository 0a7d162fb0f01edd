/** What was found in a file, in one run of the command. */
export interface FileSummary {
  readonly file: string;
  /** Lines that were read now; those of earlier runs are not among them. */
  lines: number;
  /** Errors that have been stored. */
  errors: number;
  /** Lines that are no requests of an access log; they count for nothing. */
  bad: number;
  readonly first_bad: Array<{ readonly line: number; readonly reason: string }>;
}

export function emptySummary(file: string): FileSummary {
  return { file, lines: 0, errors: 0, bad: 0, first_bad: [] };
}
