// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { formatSize } from './format-size.js';
import { actionButton, partElement, replaceKeepingFocus } from './part-element.js';
import { isRunning, isUnfinished } from './queue.js';
export function totalsOf({ items }, secondsFor) {
    let [completedFiles, failedFiles, sentBytes, totalBytes, isMoving] = [0, 0, 0, 0, false];
    for (const item of items) {
        if (item.state === 'completed')
            completedFiles++;
        isMoving ||= isRunning(item);
        if (item.state === 'failed')
            failedFiles++;
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
export function totalActions({ items }, { canStart, canTryAgain, canResume }) {
    const has = (test) => items.some(test);
    const actions = [
        ['start', canStart],
        ['pauseAll', has(isRunning)],
        ['resumeAll', !has(isRunning) && (canResume || has(({ state }) => state === 'paused'))],
        ['againAll', canTryAgain],
        ['cancelAll', has(isUnfinished)],
        ['clear', items.length > 0 && !has(isUnfinished)],
    ];
    return actions.filter(([, isPossible]) => isPossible).map(([action]) => action);
}
export function makeTotals(act) {
    const element = partElement('div', 'totals');
    const [words, bar, buttons] = [
        partElement('span', 'total-status'),
        partElement('progress', 'total-progress'),
        partElement('div', 'total-actions'),
    ];
    element.append(words, buttons, bar);
    element.hidden = true;
    let shownActions = '';
    return {
        element,
        show(texts, total, actions, isShown) {
            element.hidden = !isShown;
            const { files, completedFiles, failedFiles, sentBytes, totalBytes, secondsLeft } = total;
            const size = (bytes) => formatSize(bytes, texts.locale);
            const parts = [
                texts.filesDone(completedFiles, files),
                failedFiles > 0 ? texts.filesFailed(failedFiles) : '',
                texts.uploading(size(sentBytes), size(totalBytes), Math.floor((100 * sentBytes) / Math.max(1, totalBytes))),
                secondsLeft === undefined ? '' : texts.timeLeft(secondsLeft),
            ];
            words.textContent = parts.filter(Boolean).join(' · ');
            bar.max = Math.max(1, totalBytes);
            bar.value = sentBytes;
            bar.setAttribute('aria-label', texts.total);
            const key = actions.map((action) => texts[action]).join();
            if (key !== shownActions)
                replaceKeepingFocus(buttons, actions.map((action) => actionButton(action, texts[action], texts[action], () => act(action))));
            shownActions = key;
        },
    };
}
