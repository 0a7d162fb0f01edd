import { listObjects } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { usePages } from '../../app/use-pages.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { isFolder, keyOf } from '../../files/object-id.ts';
import { plainText } from '../../ui/plain-text.ts';
import { useRested } from '../../ui/use-rested.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toastError } from '../../ui/toasts.tsx';
import { runInDialog } from '../files/change-many.tsx';
import { followJob } from '../files/folder-job.ts';
import { ruleFor, touchedBy } from './rule-match.ts';

/** Shows which files a rule would touch, before it is saved. */
export function RulePreview({
  prefix: typed,
  others,
  deleteAfterDays,
  isPrivate,
  isNew,
}: {
  /** As typed. */
  readonly prefix: string;
  /** The prefixes of the other rules, each with a slash at its end. */
  readonly others: readonly string[];
  readonly deleteAfterDays: number | undefined;
  /** Whether the rule makes new files private. */
  readonly isPrivate: boolean;
  readonly isNew: boolean;
}) {
  const { rules } = messages();
  const rested = useRested(typed);
  const isReady = isFolder(rested);
  const prefix = `${rested.replace(/\/$/, '')}/`;
  const above = isNew
    ? ruleFor(
        others.map((one) => ({ prefix: one })),
        prefix,
      )?.prefix
    : undefined;
  return (
    <section class="rule-preview" aria-live="polite">
      <h3>{rules.preview}</h3>
      {isReady ? (
        <Touched key={prefix} {...{ prefix, others, deleteAfterDays, isPrivate, above }} />
      ) : (
        <p class="quiet">{rules.previewHint}</p>
      )}
    </section>
  );
}

function Touched({
  prefix,
  others,
  deleteAfterDays,
  isPrivate,
  above,
}: {
  readonly prefix: string;
  readonly others: readonly string[];
  readonly deleteAfterDays: number | undefined;
  readonly isPrivate: boolean;
  readonly above: string | undefined;
}) {
  const { rules, files } = messages();
  const pages = usePages(
    async (after, signal) => {
      const page = await ask(listObjects({ query: { prefix, limit: 1000, ...after }, signal }));
      const items = page.objects.map(({ id, size, created_at: createdAt, private: isHidden }) => {
        return { key: keyOf(id), size, createdAt, isPublic: !isHidden };
      });
      return { items, next: page.continuationToken };
    },
    [prefix],
  );
  if (pages.error !== undefined) return <Problem error={pages.error} onRetry={pages.reload} />;
  if (!pages.items) return <Skeleton lines={1} />;
  const touched = touchedBy(prefix, pages.items, others, { deleteAfterDays, nowMs: Date.now() });
  const isEmpty = pages.items.length === 0 && !pages.hasMore;
  const publicOnes = pages.items.filter(({ isPublic }) => isPublic).length;
  return (
    <>
      <p>{isEmpty ? rules.previewNone : rules.previewCount(formatNumber(touched.count), formatSize(touched.bytes))}</p>
      {touched.old > 0 && <p class="problem-text">{rules.previewDeleted(formatNumber(touched.old))}</p>}
      {isPrivate && publicOnes > 0 && (
        <p class="hint">
          {rules.previewPublic(formatNumber(publicOnes))}{' '}
          <Button onClick={() => void hideFolder(prefix).then((isDone) => isDone && pages.reload(), toastError)}>
            {files.makePrivate}
          </Button>
        </p>
      )}
      {above !== undefined && <p class="hint">{rules.previewFrom(above)}</p>}
      {touched.others.map(([longer, count]) => (
        <p key={longer} class="hint">
          {rules.previewOther(formatNumber(count), longer)}
        </p>
      ))}
      {touched.first.length > 0 && (
        <details>
          <summary>{rules.previewFirst}</summary>
          <ul>
            {touched.first.map((key, place) => (
              <li key={place}>
                <bdi dir="auto">{plainText(key)}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
      {pages.hasMore && (
        <p class="hint">
          {rules.previewMore}{' '}
          <Button onClick={pages.more} isBusy={pages.isLoading}>
            {rules.countOn}
          </Button>
        </p>
      )}
    </>
  );
}

/** Makes all public files of a folder private, after a confirmation. Resolves to whether anything may have changed. */
async function hideFolder(prefix: string): Promise<boolean> {
  const { files } = messages();
  const question = { title: files.makePrivateIn(prefix), text: files.visibilityHint, action: files.makePrivate };
  if (!(await confirm({ ...question, isDangerous: false }))) return false;
  const folder = prefix.replace(/\/$/, '');
  return runInDialog(files.changing, {
    run: (running) => followJob({ action: 'update', prefix: folder, private: true }, folder, running),
  });
}
