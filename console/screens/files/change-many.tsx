import { useEffect, useState } from 'preact/hooks';

import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { ErrorCode, Problem } from '../../ui/problem.tsx';
import { Progress } from '../../ui/progress.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { BatchProgress, BatchResult, Failure } from './batch.ts';
import { applyChange, type Change } from './changes.ts';
import type { Entry } from './entry.ts';

type Run = (running: { onProgress: (progress: BatchProgress) => void; signal: AbortSignal }) => Promise<BatchResult>;

/** Changes many rows in a dialog with the progress. Resolves to whether anything may have changed. */
export function changeMany(
  title: string,
  entries: readonly Entry[],
  change: Change,
  said?: (count: string) => string,
): Promise<boolean> {
  return runInDialog(title, (running) => applyChange(entries, change, running), said);
}

/**
 * Runs something long in a dialog. It closes by itself if nothing failed, and otherwise lists what did.
 *
 * @param said the message for how many entries were changed
 */
export async function runInDialog(
  title: string,
  run: Run,
  said: (count: string) => string = messages().files.changed,
): Promise<boolean> {
  await openDialog((close) => <ProgressDialog title={title} run={run} said={said} close={close} />);
  return true;
}

function ProgressDialog({
  title,
  run,
  said,
  close,
}: {
  readonly title: string;
  readonly run: Run;
  readonly said: (count: string) => string;
  readonly close: () => void;
}) {
  const [progress, setProgress] = useState<BatchProgress>();
  const [result, setResult] = useState<BatchResult>();
  const [error, setError] = useState<unknown>();
  const [control] = useState(() => new AbortController());
  const { files, common } = messages();
  useEffect(() => {
    run({ onProgress: setProgress, signal: control.signal }).then((ended) => {
      if (ended.failures.length > 0) return setResult(ended);
      toast((ended.isCancelled ? files.stopped : said)(formatNumber(ended.done)));
      close();
    }, setError);
  }, []);
  const isOver = result !== undefined || error !== undefined;
  const stop = () => (isOver ? close() : control.abort());
  return (
    <Dialog
      title={title}
      onClose={stop}
      actions={<Button onClick={stop}>{isOver ? common.close : common.cancel}</Button>}
    >
      {error !== undefined && <Problem error={error} />}
      {result ? (
        <Failures result={result} />
      ) : (
        error === undefined && (
          <>
            <Progress
              label={title}
              share={progress && progress.total > 0 ? progress.done / progress.total : undefined}
            />
            <p class="quiet" role="status">
              {progress ? files.progress(formatNumber(progress.done), formatNumber(progress.total)) : common.loading}{' '}
              {progress?.waitSeconds !== undefined && files.limited(formatNumber(progress.waitSeconds))}
            </p>
          </>
        )
      )}
    </Dialog>
  );
}

/** This many failures are listed by name. */
const mostListed = 100;

function Failures({ result: { done, failures } }: { readonly result: BatchResult }) {
  const { files } = messages();
  return (
    <div role="alert">
      <p>{files.partly(formatNumber(done), formatNumber(failures.length))}</p>
      <ul class="failures">
        {failures.slice(0, mostListed).map((failure: Failure, index) => (
          <li key={index}>
            <span>{failure.name}</span> <ErrorCode code={failure.code} />
          </li>
        ))}
      </ul>
    </div>
  );
}
