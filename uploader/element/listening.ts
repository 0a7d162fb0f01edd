import { isOn } from './attributes.ts';
import type { DropZone } from './drop-zone.ts';
import { broughtBy, type Brought } from './found-files.ts';
import { isForAnother, withNames } from './pasted.ts';

interface Listening {
  readonly zone: DropZone;
  take(brought: Brought): void;
  /** Whether leaving the page would lose uploads. */
  isBusy(): boolean;
}

/**
 * Handles pastes, drops outside the element and leaving the page, as the attributes say, until the signal is aborted.
 */
export function listenAround(element: HTMLElement, { zone, take, isBusy }: Listening, signal: AbortSignal): void {
  const onPaste = (event: ClipboardEvent) => {
    if (event.defaultPrevented || !event.clipboardData || isForAnother(event)) return;
    const brought = withNames(broughtBy(event.clipboardData), new Date());
    if (brought.files.length + brought.folders.length === 0) return;
    event.preventDefault();
    take(brought);
  };
  const onLeave = (event: BeforeUnloadEvent) => {
    if (isOn(element, 'confirm-leave') && isBusy()) event.preventDefault();
  };
  const paste = element.getAttribute('paste');
  const target: EventTarget = paste === 'page' ? document : element;
  if (paste !== 'off' && paste !== 'false') target.addEventListener('paste', onPaste as EventListener, { signal });
  if (element.getAttribute('drop') === 'page') zone.listen(document, signal);
  globalThis.addEventListener('beforeunload', onLeave, { signal });
}
