import type { Metadata } from '../ports/metadata.ts';
import type { StoreProblem } from './problem.ts';
import type { CounterDifference } from './table.ts';

interface Deps {
  readonly metadata: Metadata<'accounts' | 'storeCheck'>;
}

const settled = 'set to the sum';
const removed = 'removed';

/** Compares the counters of rows with their sums, and looks for rows that nothing needs. */
export async function checkRows({ metadata }: Deps, repairs: boolean): Promise<StoreProblem[]> {
  const { read } = metadata;
  const problems: StoreProblem[] = [];
  // Before the usage changes, which removes days of other months.
  for (const { accountId, day } of await read.storeCheck.impossibleDays()) {
    if (repairs) await metadata.atomically((tx) => tx.storeCheck.removeDay(accountId, day), { account: accountId });
    const detail = `The usage of account ${accountId} has a day that cannot be (${day}), so the month's mean is wrong.`;
    problems.push({ kind: 'usage-day', subject: accountId, detail, repair: repairs ? removed : null });
  }
  for (const difference of await read.storeCheck.differences()) {
    if (repairs) await settle(metadata, difference);
    const { counter, subject, stored, actual } = difference;
    const detail = `${counter} of ${subject} is ${stored}, but the sum is ${actual}.`;
    problems.push({ kind: 'counter', subject, detail, repair: repairs ? settled : null });
  }
  for (const contentId of await read.storeCheck.unusedContents()) {
    if (repairs) await metadata.atomically((tx) => tx.storeCheck.removeUnused(contentId));
    const detail = `No file points to the content ${contentId}, which takes space.`;
    problems.push({ kind: 'content-without-file', subject: contentId, detail, repair: repairs ? removed : null });
  }
  return problems;
}

/** The usage of an account is metered, so it changes by the difference. */
function settle(metadata: Deps['metadata'], { counter, subject, stored, actual }: CounterDifference): Promise<void> {
  const by = actual - stored;
  switch (counter) {
    case 'accounts.used_bytes':
      return metadata.atomically((tx) => tx.accounts.addUsage(subject, { bytes: by, objects: 0 }), {
        account: subject,
      });
    case 'accounts.used_objects':
      return metadata.atomically((tx) => tx.accounts.addUsage(subject, { bytes: 0, objects: by }), {
        account: subject,
      });
    default:
      return metadata.atomically((tx) => tx.storeCheck.settle({ counter, subject }));
  }
}
