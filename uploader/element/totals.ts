import { formatSize } from './format-size.ts';
import { actionButton, partElement, replaceKeepingFocus } from './part-element.ts';
import { isRunning, isUnfinished, type Queue } from './queue.ts';
import type { Texts } from './texts.ts';

/** The progress of all files in the list. */
export interface TotalProgress {
  readonly files: number;
  readonly completedFiles: number;
  readonly failedFiles: number;
  /** Without failed files. */
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Absent while there is no estimate. */
  readonly secondsLeft?: number;
}

/** The actions on all files. */
export type TotalAction = 'start' | 'pauseAll' | 'resumeAll' | 'againAll' | 'cancelAll' | 'clear';

export interface TotalsView {
  readonly element: HTMLElement;
  show(texts: Texts, total: TotalProgress, actions: readonly TotalAction[], isShown: boolean): void;
}

export function totalsOf({ items }: Queue, secondsFor: (bytes: number) => number | undefined): TotalProgress {
  let [completedFiles, failedFiles, sentBytes, totalBytes, isMoving] = [0, 0, 0, 0, false];
  for (const item of items) {
    if (item.state === 'completed') completedFiles++;
    isMoving ||= isRunning(item);
    if (item.state === 'failed') failedFiles++;
    else {
      sentBytes += item.progress.sentBytes;
      totalBytes += item.progress.totalBytes;
    }
  }
  const secondsLeft = isMoving ? secondsFor(totalBytes - sentBytes) : undefined;
  return {
    files: items.length,
    completedFiles,
    failedFiles,
    sentBytes,
    totalBytes,
    ...(secondsLeft !== undefined && { secondsLeft }),
  };
}

/** Returns the actions that the current list allows. */
export function totalActions(
  { items }: Queue,
  { canStart, canTryAgain, canResume }: Readonly<Record<'canStart' | 'canTryAgain' | 'canResume', boolean>>,
): TotalAction[] {
  const has = (test: (item: Queue['items'][number]) => boolean) => items.some(test);
  const actions: ReadonlyArray<readonly [TotalAction, boolean]> = [
    ['start', canStart],
    ['pauseAll', has(isRunning)],
    ['resumeAll', !has(isRunning) && (canResume || has(({ state }) => state === 'paused'))],
    ['againAll', canTryAgain],
    ['cancelAll', has(isUnfinished)],
    ['clear', items.length > 0 && !has(isUnfinished)],
  ];
  return actions.filter(([, isPossible]) => isPossible).map(([action]) => action);
}

export function makeTotals(act: (action: TotalAction) => void): TotalsView {
  const element = partElement('div', 'totals');
  const [text, bar, buttons] = [
    partElement('span', 'total-status'),
    partElement('progress', 'total-progress'),
    partElement('div', 'total-actions'),
  ];
  element.append(text, buttons, bar);
  element.hidden = true;
  let shownActions = '';
  return {
    element,
    show(texts, total, actions, isShown) {
      element.hidden = !isShown;
      const { files, completedFiles, failedFiles, sentBytes, totalBytes, secondsLeft } = total;
      const size = (bytes: number) => formatSize(bytes, texts.locale);
      const parts = [
        texts.filesDone(completedFiles, files),
        failedFiles > 0 ? texts.filesFailed(failedFiles) : '',
        texts.uploading(size(sentBytes), size(totalBytes), Math.floor((100 * sentBytes) / Math.max(1, totalBytes))),
        secondsLeft === undefined ? '' : texts.timeLeft(secondsLeft),
      ];
      text.textContent = parts.filter(Boolean).join(' · ');
      bar.max = Math.max(1, totalBytes);
      bar.value = sentBytes;
      bar.setAttribute('aria-label', texts.total);
      const key = actions.map((action) => texts[action]).join();
      if (key !== shownActions)
        replaceKeepingFocus(
          buttons,
          actions.map((action) => actionButton(action, texts[action], texts[action], () => act(action))),
        );
      shownActions = key;
    },
  };
}
