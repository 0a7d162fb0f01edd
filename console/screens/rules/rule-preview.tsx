import { listObjects } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { usePages } from '../../app/use-pages.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { isFolder, keyOf } from '../../files/object-id.ts';
import { plainText } from '../../ui/plain-text.ts';
import { useRested } from '../../ui/use-rested.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ruleFor, touchedBy } from './rule-match.ts';

/** Shows which files a rule would touch, before it is saved. */
export function RulePreview({
  prefix: typed,
  others,
  deleteAfterDays,
  isNew,
}: {
  /** As typed. */
  readonly prefix: string;
  /** The prefixes of the other rules, each with a slash at its end. */
  readonly others: readonly string[];
  readonly deleteAfterDays: number | undefined;
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
        <Touched key={prefix} prefix={prefix} others={others} deleteAfterDays={deleteAfterDays} above={above} />
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
  above,
}: {
  readonly prefix: string;
  readonly others: readonly string[];
  readonly deleteAfterDays: number | undefined;
  readonly above: string | undefined;
}) {
  const { rules } = messages();
  const pages = usePages(
    async (after, signal) => {
      const page = await ask(listObjects({ query: { prefix, limit: 1000, ...after }, signal }));
      const items = page.objects.map(({ id, size, created_at: createdAt }) => ({ key: keyOf(id), size, createdAt }));
      return { items, next: page.continuationToken };
    },
    [prefix],
  );
  if (pages.error !== undefined) return <Problem error={pages.error} onRetry={pages.reload} />;
  if (!pages.items) return <Skeleton lines={1} />;
  const touched = touchedBy(prefix, pages.items, others, { deleteAfterDays, nowMs: Date.now() });
  const isEmpty = pages.items.length === 0 && !pages.hasMore;
  return (
    <>
      <p>{isEmpty ? rules.previewNone : rules.previewCount(formatNumber(touched.count), formatSize(touched.bytes))}</p>
      {touched.old > 0 && <p class="problem-text">{rules.previewDeleted(formatNumber(touched.old))}</p>}
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
