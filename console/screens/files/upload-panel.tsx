import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ErrorCode } from '../../ui/problem.tsx';
import { PublicMark } from '../../files/public-mark.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Progress } from '../../ui/progress.tsx';
import { toastError } from '../../ui/toasts.tsx';
import { chooseFiles, chooseFolder } from './choose-files.ts';
import { interrupted } from './interrupted.ts';
import {
  canRetry,
  dismissEnded,
  dismissUpload,
  isPaused,
  isPublicChosen,
  noteVisibility,
  pauseUploads,
  resumeUploads,
  retryFailed,
  retryUpload,
  storedUploads,
  uploadsSeen,
  uploadTotals,
  type Upload,
} from './uploads.ts';

/** Rows that are shown. All others are in the totals. */
const mostRows = 50;

/** The uploads, with the progress of each and of all. */
export function UploadPanel() {
  const { files } = messages();
  const { sentBytes, totalBytes, open, done, failed } = uploadTotals.value;
  const all = uploadsSeen.value;
  return (
    <section class="upload-panel" aria-label={files.uploads}>
      <PanelHead />
      <VisibilityChoice />
      {isPublicChosen.value && <p class="note">{files.uploadPublicHint}</p>}
      <StoredVisibility />
      <Interruption />
      {open > 0 && <Progress label={files.uploads} share={totalBytes > 0 ? sentBytes / totalBytes : undefined} />}
      {all.length > 1 && (
        <p class="upload-sums quiet">
          {files.uploadSums(
            formatNumber(done),
            formatNumber(all.length),
            formatSize(sentBytes),
            formatSize(totalBytes),
          )}
        </p>
      )}
      <FailedOnes />
      {/* Nothing is left to do with files that are all stored, and the list below shows them. */}
      {(open > 0 || failed > 0) && (
        <ul>
          {shownOf(all).map((upload) => (
            <Row key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Returns the failed ones, then those that run, then those that wait, then the stored ones. */
function shownOf(all: readonly Upload[]): Upload[] {
  const shown: Upload[] = [];
  for (const wanted of ['failed', 'running', 'waiting', 'done'] as const)
    for (const upload of all) {
      if (shown.length === mostRows) return shown;
      if (upload.state === wanted) shown.push(upload);
    }
  return shown;
}

/** Says that a reload has ended uploads, and lets the person choose their files again. */
function Interruption() {
  const { files } = messages();
  const left = interrupted.value.filter(({ isStored }) => !isStored);
  const [first] = left;
  if (!first) return null;
  const choose = first.path.includes('/') ? chooseFolder : chooseFiles;
  return (
    <div class="note">
      <p>{files.interrupted(formatNumber(left.length))}</p>
      <Button onClick={() => choose({ space: 'all', prefix: first.prefix })}>{files.chooseAgain}</Button>
    </div>
  );
}

function Row({ upload }: { readonly upload: Upload }) {
  const { id, path, sizeBytes, state, sentBytes, code, isPublic } = upload;
  const { files, common, errors } = messages();
  const known: Readonly<Record<string, string>> = { ...errors, ...files.uploadErrors };
  return (
    <li class={state}>
      <span class="upload-name">{path}</span>
      <span class="quiet">
        {state === 'running' ? `${formatSize(sentBytes)} / ${formatSize(sizeBytes)}` : formatSize(sizeBytes)}
      </span>
      {state === 'done' ? (
        isPublic ? (
          <PublicMark />
        ) : (
          <span class="badge good">{files.stored}</span>
        )
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
          {(code === 'OBJECT_ALREADY_EXISTS' || canRetry(upload)) && (
            <Button kind="quiet" onClick={() => retryUpload(id, code === 'OBJECT_ALREADY_EXISTS')}>
              {code === 'OBJECT_ALREADY_EXISTS' ? files.replace : common.retry}
            </Button>
          )}
        </p>
      )}
    </li>
  );
}

function PanelHead() {
  const { files, common } = messages();
  const { open, done, failed } = uploadTotals.value;
  return (
    <header>
      <h2 aria-live="polite">
        {open > 0
          ? (isPaused.value ? files.uploadsPaused : files.uploading)(formatNumber(open))
          : failed > 0
            ? files.uploadsFailed(formatNumber(failed))
            : uploadsSeen.value.length > 0
              ? files.uploaded(formatNumber(done))
              : files.uploads}
      </h2>
      {open > 0 ? (
        <IconButton
          icon={isPaused.value ? 'play' : 'pause'}
          label={isPaused.value ? files.resumeUploads : files.pauseUploads}
          onClick={isPaused.value ? resumeUploads : pauseUploads}
        />
      ) : (
        <IconButton icon="close" label={common.close} onClick={dismissEnded} />
      )}
    </header>
  );
}

/** Whether the next uploads are public. */
function VisibilityChoice() {
  const { files } = messages();
  return (
    <div class="upload-choice" role="group" aria-label={files.uploadAs}>
      <span>{files.uploadAs}</span>
      {[false, true].map((isPublic) => (
        <Button
          key={isPublic}
          aria-pressed={isPublicChosen.value === isPublic}
          onClick={() => (isPublicChosen.value = isPublic)}
        >
          {isPublic ? files.public : files.private}
        </Button>
      ))}
    </div>
  );
}

/** Says who can read what is stored, and changes it. */
function StoredVisibility() {
  const { public: publicOnes, private: privateOnes } = uploadTotals.value;
  return (
    <>
      <StoredOnes isPublic count={publicOnes} />
      <StoredOnes isPublic={false} count={privateOnes} />
    </>
  );
}

function StoredOnes({ isPublic, count }: { readonly isPublic: boolean; readonly count: number }) {
  if (count === 0) return null;
  const { files } = messages();
  const turn = async () => {
    const { setVisibility } = await import('./set-visibility.ts');
    await setVisibility(storedUploads(isPublic), isPublic, (before, after) => noteVisibility(before, after, !isPublic));
  };
  const [stored, change] = isPublic
    ? [files.uploadedPublic, files.makePrivate]
    : [files.uploadedPrivate, files.makePublic];
  return (
    <div class="upload-public">
      <p role={isPublic ? 'status' : undefined}>
        {isPublic ? <PublicMark /> : <Icon name="lock" size={14} />} {stored(formatNumber(count))}
      </p>
      {storedUploads(isPublic).length > 0 && (
        <Button kind="quiet" onClick={() => void turn().catch(toastError)}>
          {change}
        </Button>
      )}
    </div>
  );
}

function FailedOnes() {
  const { files } = messages();
  const { open, failed } = uploadTotals.value;
  const hasRetries = uploadsSeen.value.some(canRetry);
  if (failed === 0 || (open === 0 && !hasRetries)) return null;
  return (
    <div class="upload-failed">
      {open > 0 && <span class="problem-text">{files.uploadsFailed(formatNumber(failed))}</span>}
      {hasRetries && (
        <Button kind="quiet" onClick={retryFailed}>
          {files.retryFailed}
        </Button>
      )}
    </div>
  );
}
