import type { Panel } from './panel.ts';
import { isUnfinished, type Item, type Queue } from './queue.ts';
import { openSpeed } from './speed.ts';
import type { Texts } from './texts.ts';
import { totalActions, totalsOf, type TotalProgress } from './totals.ts';

const showEveryMs = 250;

interface SummaryOptions {
  readonly queue: Queue;
  readonly panel: Panel;
  texts(): Texts;
  canTryAgain(item: Item): boolean;
  /** Returns the step that the waiting files need to begin: a first start, or a resume after "pause all". */
  waitsFor(): 'start' | 'resume' | undefined;
  tell(name: 'totalprogress' | 'finished', total: TotalProgress): void;
}

/** The progress of all files, the remaining time and the buttons for all. */
interface Summary {
  readonly total: TotalProgress;
  /** Notes that new files were added, so that `finished` is sent again. */
  begin(): void;
  show(): void;
  /** Calls `show()` a few times a second at most. */
  showSoon(): void;
  /** Remaining time of the only file in the list. Empty for several files. */
  timeLeft(item: Item): string;
}

export function makeSummary({ queue, panel, texts, canTryAgain, waitsFor, tell }: SummaryOptions): Summary {
  const speed = openSpeed();
  let tick: ReturnType<typeof setTimeout> | undefined;
  let isFinished = true;
  const summary: Summary = {
    get total() {
      return totalsOf(queue, speed.secondsFor);
    },
    begin: () => void (isFinished = false),
    showSoon: () => void (tick ??= setTimeout(summary.show, showEveryMs)),
    show() {
      clearTimeout(tick);
      tick = undefined;
      const { items } = queue;
      const isMoving = items.some(({ state }) => state === 'uploading');
      if (isMoving) speed.sample(queue.movedBytes);
      else speed.reset();
      const { total } = summary;
      const wanted = items.some(({ state }) => state === 'waiting') ? waitsFor() : undefined;
      const actions = totalActions(queue, {
        canStart: wanted === 'start',
        canResume: wanted === 'resume',
        canTryAgain: items.some(canTryAgain),
      });
      panel.totals.show(texts(), total, actions, items.length > 1 || wanted !== undefined);
      panel.showHidden();
      if (isFinished) return;
      tell('totalprogress', total);
      // The remaining time changes even when nothing is sent.
      if (isMoving) summary.showSoon();
      if (items.some(isUnfinished)) return;
      isFinished = true;
      tell('finished', total);
    },
    timeLeft({ progress }) {
      const seconds = queue.items.length > 1 ? undefined : speed.secondsFor(progress.totalBytes - progress.sentBytes);
      return seconds === undefined ? '' : texts().timeLeft(seconds);
    },
  };
  return summary;
}
