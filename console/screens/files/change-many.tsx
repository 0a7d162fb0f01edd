import { useEffect, useState } from 'preact/hooks';

import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { ErrorCode, Problem } from '../../ui/problem.tsx';
import { Progress } from '../../ui/progress.tsx';
import { toast, type ToastAction } from '../../ui/toasts.tsx';
import type { BatchProgress, BatchResult, Failure, Running } from './batch.ts';
import { applyChange, type Change } from './changes.ts';
import type { Entry } from './entry.ts';

/** What is said once a change has ended. */
interface Said {
  /** The message for how many entries were changed. Default: that they were changed. */
  readonly said?: (count: string) => string;
  /** Returns what the message offers. */
  readonly action?: () => ToastAction | undefined;
}

interface Run extends Said {
  readonly run: (running: Running) => Promise<BatchResult>;
}

/** Changes many rows in a dialog with the progress. Resolves to whether anything may have changed. */
export function changeMany(title: string, entries: readonly Entry[], change: Change, said?: Said): Promise<boolean> {
  return runInDialog(title, { ...said, run: (running) => applyChange(entries, change, running) });
}

/** Runs something long in a dialog. It closes by itself if nothing failed, and otherwise lists what did. */
export async function runInDialog(title: string, { run, action, said }: Run): Promise<boolean> {
  const { files } = messages();
  const ended = await openDialog<BatchResult>((close) => <ProgressDialog title={title} run={run} close={close} />);
  if (ended && (ended.failures.length === 0 || ended.done > 0))
    toast((ended.isCancelled ? files.stopped : (said ?? files.changed))(formatNumber(ended.done)), action?.());
  return true;
}

function ProgressDialog({
  title,
  run,
  close,
}: {
  readonly title: string;
  readonly run: Run['run'];
  readonly close: (ended?: BatchResult) => void;
}) {
  const [progress, setProgress] = useState<BatchProgress>();
  const [result, setResult] = useState<BatchResult>();
  const [error, setError] = useState<unknown>();
  const [control] = useState(() => new AbortController());
  const { files, common } = messages();
  useEffect(() => {
    run({ onProgress: setProgress, signal: control.signal }).then((ended) => {
      if (ended.failures.length > 0) setResult(ended);
      else close(ended);
    }, setError);
  }, []);
  const isOver = result !== undefined || error !== undefined;
  const stop = () => (isOver ? close(result) : control.abort());
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
