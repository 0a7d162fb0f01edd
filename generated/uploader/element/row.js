// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { formatSize } from './format-size.js';
/** The buttons of each state: the first goes on or stops for now, the last ends. */
const actionsIn = {
    waiting: ['cancel'],
    checking: ['pause', 'cancel'],
    uploading: ['pause', 'cancel'],
    paused: ['resume', 'cancel'],
    completed: ['remove'],
    failed: ['again', 'remove'],
    cancelled: ['remove'],
};
/** Makes the row of a file. `act` is told what is asked for. */
export function makeRow(file, texts, act) {
    const item = document.createElement('li');
    const [name, status, actions] = ['name', 'status', 'actions'].map((part) => partOf(item, part));
    name.textContent = file.name;
    name.title = file.name;
    const bar = document.createElement('progress');
    bar.max = Math.max(1, file.size);
    bar.value = 0;
    bar.setAttribute('part', 'progress');
    bar.setAttribute('aria-label', texts.progressOf(file.name));
    item.append(bar);
    let progress = { sentBytes: 0, totalBytes: file.size };
    let shown = 'waiting';
    const tellProgress = () => {
        bar.value = progress.sentBytes;
        if (shown === 'uploading')
            status.textContent = progressText(texts, progress);
    };
    return {
        item,
        show(state, { uploaded, error } = {}) {
            shown = state;
            item.dataset.state = state;
            tellProgress();
            if (state !== 'uploading')
                status.textContent = state === 'failed' && error ? texts.failed(error) : stateText(texts, state, file);
            const link = uploaded?.url ? [openLink(uploaded.url, texts, file.name)] : [];
            replaceKeepingFocus(actions, [...link, ...actionsIn[state].map((action) => button(texts, action, file.name, act))]);
        },
        showProgress(next) {
            progress = next;
            tellProgress();
        },
        focus: () => actions.lastElementChild?.focus(),
    };
}
function progressText(texts, { sentBytes, totalBytes }) {
    return texts.uploading(formatSize(sentBytes), formatSize(totalBytes), Math.floor((100 * sentBytes) / Math.max(1, totalBytes)));
}
function stateText(texts, state, file) {
    if (state === 'waiting')
        return texts.waiting;
    if (state === 'checking')
        return texts.checking;
    if (state === 'paused')
        return texts.paused;
    return state === 'completed' ? `${texts.completed}, ${formatSize(file.size)}` : texts.cancelling;
}
function partOf(item, part) {
    const element = document.createElement(part === 'actions' ? 'div' : 'span');
    element.className = part;
    element.setAttribute('part', part);
    item.append(element);
    return element;
}
function button(texts, action, file, act) {
    const element = document.createElement('button');
    element.type = 'button';
    element.textContent = texts[action];
    element.dataset.action = action;
    // The visible word comes first: whoever speaks to the computer says what is seen.
    element.setAttribute('aria-label', texts.actionOn(texts[action], file));
    element.addEventListener('click', () => act(action));
    return element;
}
function openLink(url, texts, file) {
    const link = document.createElement('a');
    link.href = url;
    link.target = '_blank';
    link.rel = 'noopener';
    link.textContent = texts.open;
    link.setAttribute('aria-label', texts.actionOn(texts.open, file));
    return link;
}
/** Other buttons in the place of the old; the one at the same place from the end takes the focus over. */
function replaceKeepingFocus(parent, next) {
    const root = parent.getRootNode();
    const before = Array.from(parent.children);
    const fromEnd = before.length - before.indexOf(root.activeElement);
    const hadFocus = root.activeElement !== null && before.includes(root.activeElement);
    parent.replaceChildren(...next);
    if (hadFocus)
        next[Math.max(0, next.length - fromEnd)]?.focus();
}
