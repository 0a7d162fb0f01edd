import { words } from '../../app/words.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ErrorCode } from '../../ui/problem.tsx';
import { Progress } from '../../ui/progress.tsx';
import { dismissEnded, dismissUpload, retryUpload, uploadsSeen, uploadTotals, type Upload } from './uploads.ts';

/** Rows that are shown. All others are in the totals. */
const mostRows = 50;

/** The uploads, with the progress of each and of all. */
export function UploadPanel() {
  const { files } = words();
  const { sentBytes, totalBytes, open, failed } = uploadTotals.value;
  const rank = { failed: 0, running: 1, waiting: 2, done: 3 } as const;
  const rows = uploadsSeen.value.toSorted((a, b) => rank[a.state] - rank[b.state]).slice(0, mostRows);
  return (
    <section class="upload-panel" aria-label={files.uploads}>
      <header>
        <h2 aria-live="polite">
          {open > 0
            ? files.uploading(formatNumber(open))
            : failed > 0
              ? files.uploadsFailed(formatNumber(failed))
              : files.uploaded(formatNumber(uploadsSeen.value.length))}
        </h2>
        {open === 0 && <IconButton icon="close" label={words().common.close} onClick={dismissEnded} />}
      </header>
      {open > 0 && <Progress label={files.uploads} share={totalBytes > 0 ? sentBytes / totalBytes : undefined} />}
      {/* Nothing is left to do with files that are all stored, and the list below shows them. */}
      {(open > 0 || failed > 0) && (
        <ul>
          {rows.map((upload) => (
            <Row key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ upload: { id, path, sizeBytes, state, sentBytes, code } }: { readonly upload: Upload }) {
  const { files, common, errors } = words();
  const known: Readonly<Record<string, string>> = { ...errors, ...files.uploadErrors };
  return (
    <li class={state}>
      <span class="upload-name">{path}</span>
      <span class="quiet">
        {state === 'running' ? `${formatSize(sentBytes)} / ${formatSize(sizeBytes)}` : formatSize(sizeBytes)}
      </span>
      {state === 'done' ? (
        <span class="badge good">{files.stored}</span>
      ) : (
        <IconButton
          icon="close"
          label={state === 'failed' ? common.close : files.cancelUpload(path)}
          onClick={() => dismissUpload(id)}
        />
      )}
      {state === 'failed' && (
        <p class="problem-text">
          {known[code!] ?? files.uploadFailed} <ErrorCode code={code!} />{' '}
          <Button kind="quiet" onClick={() => retryUpload(id, code === 'OBJECT_ALREADY_EXISTS')}>
            {code === 'OBJECT_ALREADY_EXISTS' ? files.replace : common.retry}
          </Button>
        </p>
      )}
    </li>
  );
}
