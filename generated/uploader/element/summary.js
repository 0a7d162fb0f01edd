// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { isUnfinished } from './queue.js';
import { openSpeed } from './speed.js';
import { totalActions, totalsOf } from './totals.js';
const showEveryMs = 250;
export function makeSummary({ queue, panel, texts, canTryAgain, waitsFor, tell }) {
    const speed = openSpeed();
    let tick;
    let isFinished = true;
    const summary = {
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
            if (isMoving)
                speed.sample(queue.movedBytes);
            else
                speed.reset();
            const { total } = summary;
            const wanted = items.some(({ state }) => state === 'waiting') ? waitsFor() : undefined;
            const actions = totalActions(queue, {
                canStart: wanted === 'start',
                canResume: wanted === 'resume',
                canTryAgain: items.some(canTryAgain),
            });
            panel.totals.show(texts(), total, actions, items.length > 1 || wanted !== undefined);
            panel.showHidden();
            if (isFinished)
                return;
            tell('totalprogress', total);
            // The remaining time changes even when nothing is sent.
            if (isMoving)
                summary.showSoon();
            if (items.some(isUnfinished))
                return;
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
