// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { formatSize } from './format-size.js';
import { actionButton, partElement, replaceKeepingFocus } from './part-element.js';
import { pictureOf } from './picture.js';
/** The buttons of each state. The first one continues or pauses, and the last one ends the upload. */
const actionsIn = {
    waiting: ['cancel'],
    checking: ['pause', 'cancel'],
    uploading: ['pause', 'cancel'],
    offline: ['pause', 'cancel'],
    paused: ['resume', 'cancel'],
    completed: ['remove'],
    failed: ['again', 'remove'],
    cancelled: ['remove'],
};
export function makeRow(item, options) {
    const { file, path } = item;
    const element = partElement('li', 'row');
    // A name keeps its own writing direction, whatever the page's is.
    const [name, status, actions] = [
        partElement('bdi', 'name'),
        partElement('span', 'status'),
        partElement('div', 'actions'),
    ];
    name.textContent = path;
    name.title = path;
    const bar = partElement('progress', 'progress');
    bar.max = Math.max(1, file.size);
    // Checked before drawing, because the row may be gone by then.
    const picture = options.hasPictures() ? [pictureOf(file, () => element.isConnected)] : [];
    const about = partElement('div', 'about');
    about.append(name, status);
    element.append(...picture, about, actions, bar);
    const row = {
        element,
        showState() {
            const texts = options.texts();
            element.dataset.state = item.state;
            element.setAttribute('part', `row ${item.state}`);
            bar.setAttribute('aria-label', texts.progressOf(path));
            row.showProgress();
            const possible = actionsIn[item.state].filter((action) => action !== 'again' || options.canTryAgain(item));
            const buttons = possible.map((action) => actionButton(action, texts[action], texts.actionOn(texts[action], path), () => options.act(item, action)));
            const url = item.state === 'completed' ? item.uploaded?.url : undefined;
            replaceKeepingFocus(actions, url ? [openLink(url, texts, path), ...buttons] : buttons);
        },
        showProgress() {
            bar.value = item.progress.sentBytes;
            const words = statusOf(item, options);
            if (status.textContent !== words)
                status.textContent = words;
        },
        focus: () => actions.lastElementChild?.focus(),
    };
    row.showState();
    return row;
}
function statusOf(item, { texts: textsNow, timeLeft }) {
    const texts = textsNow();
    const { sentBytes, totalBytes } = item.progress;
    const size = (bytes) => formatSize(bytes, texts.locale);
    const progress = texts.uploading(size(sentBytes), size(totalBytes), Math.floor((100 * sentBytes) / Math.max(1, totalBytes)));
    const words = {
        waiting: () => `${texts.waiting}, ${size(totalBytes)}`,
        checking: () => texts.checking,
        uploading: () => [progress, timeLeft(item)].filter(Boolean).join(', '),
        offline: () => `${texts.offline} (${progress})`,
        paused: () => `${texts.paused}, ${progress}`,
        completed: () => `${texts.completed}, ${size(totalBytes)}`,
        failed: () => (item.error ? texts.failed(item.error) : ''),
        cancelled: () => texts.cancelling,
    };
    return words[item.state]();
}
function openLink(url, texts, file) {
    const link = document.createElement('a');
    link.href = url;
    link.target = '_blank';
    link.rel = 'noopener';
    link.textContent = texts.open;
    link.setAttribute('part', 'button open');
    link.setAttribute('aria-label', texts.actionOn(texts.open, file));
    return link;
}
