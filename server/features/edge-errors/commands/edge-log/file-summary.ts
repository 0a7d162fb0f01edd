/** The result for one file in one run of the command. */
export interface FileSummary {
  readonly file: string;
  /** Lines read in this run. */
  lines: number;
  /** Errors stored in this run. */
  errors: number;
  /** Lines that are not requests of an access log. They are not counted. */
  bad: number;
  readonly first_bad: Array<{ readonly line: number; readonly reason: string }>;
}

export function emptySummary(file: string): FileSummary {
  return { file, lines: 0, errors: 0, bad: 0, first_bad: [] };
}
