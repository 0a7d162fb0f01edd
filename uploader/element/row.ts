import { formatSize } from './format-size.ts';
import { actionButton, partElement, replaceKeepingFocus } from './part-element.ts';
import { pictureOf } from './picture.ts';
import type { Item, ItemState } from './queue.ts';
import type { Texts } from './texts.ts';

/** The actions on one file. */
export type RowAction = 'pause' | 'resume' | 'cancel' | 'again' | 'remove';

export interface Row {
  readonly element: HTMLLIElement;
  /** Shows the item's current state. */
  showState(): void;
  showProgress(): void;
  /** Focuses the row's last button. */
  focus(): void;
}

/** The parts of the element that a row needs. */
export interface RowOptions {
  texts(): Texts;
  act(item: Item, action: RowAction): void;
  canTryAgain(item: Item): boolean;
  /** Text after the progress. Empty for none. */
  timeLeft(item: Item): string;
  hasPictures(): boolean;
}

/** The buttons of each state. The first one continues or pauses, and the last one ends the upload. */
const actionsIn: Record<ItemState, readonly RowAction[]> = {
  waiting: ['cancel'],
  checking: ['pause', 'cancel'],
  uploading: ['pause', 'cancel'],
  offline: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  completed: ['remove'],
  failed: ['again', 'remove'],
  cancelled: ['remove'],
};

export function makeRow(item: Item, options: RowOptions): Row {
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

  const row: Row = {
    element,
    showState() {
      const texts = options.texts();
      element.dataset.state = item.state;
      element.setAttribute('part', `row ${item.state}`);
      bar.setAttribute('aria-label', texts.progressOf(path));
      row.showProgress();
      const possible = actionsIn[item.state].filter((action) => action !== 'again' || options.canTryAgain(item));
      const buttons = possible.map((action) =>
        actionButton(action, texts[action], texts.actionOn(texts[action], path), () => options.act(item, action)),
      );
      const url = item.state === 'completed' ? item.uploaded?.url : undefined;
      replaceKeepingFocus(actions, url ? [openLink(url, texts, path), ...buttons] : buttons);
    },
    showProgress() {
      bar.value = item.progress.sentBytes;
      const text = statusOf(item, options);
      if (status.textContent !== text) status.textContent = text;
    },
    focus: () => (actions.lastElementChild as HTMLElement | null)?.focus(),
  };
  row.showState();
  return row;
}

function statusOf(item: Item, { texts: textsNow, timeLeft }: RowOptions): string {
  const texts = textsNow();
  const { sentBytes, totalBytes } = item.progress;
  const size = (bytes: number) => formatSize(bytes, texts.locale);
  const progress = texts.uploading(
    size(sentBytes),
    size(totalBytes),
    Math.floor((100 * sentBytes) / Math.max(1, totalBytes)),
  );
  const states: Record<ItemState, () => string> = {
    waiting: () => `${texts.waiting}, ${size(totalBytes)}`,
    checking: () => texts.checking,
    uploading: () => [progress, timeLeft(item)].filter(Boolean).join(', '),
    offline: () => `${texts.offline} (${progress})`,
    paused: () => `${texts.paused}, ${progress}`,
    completed: () => `${texts.completed}, ${size(totalBytes)}`,
    failed: () => (item.error ? texts.failed(item.error) : ''),
    cancelled: () => texts.cancelling,
  };
  return states[item.state]();
}

function openLink(url: string, texts: Texts, file: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = url;
  link.target = '_blank';
  link.rel = 'noopener';
  link.textContent = texts.open;
  link.setAttribute('part', 'button open');
  link.setAttribute('aria-label', texts.actionOn(texts.open, file));
  return link;
}
