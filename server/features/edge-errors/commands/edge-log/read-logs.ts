import { messageOf } from '#server/cli/operator.ts';
import { emptySummary, type FileSummary } from './file-summary.ts';
import { LogCounter, type CountingDeps } from './log-counter.ts';
import { LogFile } from './log-file.ts';

/** A file that could not be read to its end. Lines read before the error are counted. */
export interface FailedFile {
  readonly file: string;
  readonly reason: string;
}

/** Reads files one after the other, each from its checkpoint to its end. */
export async function readLogs(
  deps: CountingDeps,
  paths: readonly string[],
  onFile: (summary: FileSummary) => void,
): Promise<FailedFile[]> {
  const failed: FailedFile[] = [];
  for (const path of paths) {
    const summary = emptySummary(path);
    onFile(summary);
    try {
      await readLog(deps, path, summary);
    } catch (error) {
      failed.push({ file: path, reason: messageOf(error) });
    }
  }
  return failed;
}

/** Reads one file from its checkpoint to its end. */
export async function readLog(deps: CountingDeps, path: string, summary: FileSummary): Promise<void> {
  await using file = await LogFile.open(path);
  const counter = await LogCounter.open(deps, file, summary);
  await counter.takeFrom(file);
  // A compressed log does not grow.
  await counter.end({ isFinal: file.isCompressed });
}
