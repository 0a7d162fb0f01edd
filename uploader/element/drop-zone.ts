import { broughtBy, withPath, type Brought } from './found-files.ts';
import { partElement } from './part-element.ts';
import type { Texts } from './texts.ts';

/** The files that the user may drop or choose. */
interface DropZoneRules {
  readonly accept: string;
  readonly isMultiple: boolean;
  readonly hasFolders: boolean;
  readonly isDisabled: boolean;
  /** The phone camera to use: `user` or `environment`. */
  readonly capture: string | null;
}

/** The area where files are dropped or chosen. */
export interface DropZone {
  readonly element: HTMLElement;
  /** The element that the browser's form messages point to. */
  readonly anchor: HTMLElement;
  allow(rules: DropZoneRules): void;
  /**
   * Sets the texts.
   *
   * @param limits as text. Empty without limits
   */
  label(texts: Texts, limits: string): void;
  /** Also accepts drops on this target, until the signal is aborted. */
  listen(target: EventTarget, signal?: AbortSignal): void;
  focus(): void;
}

/** @param take called with the chosen or dropped files, while the event runs */
export function makeDropZone(take: (brought: Brought) => void): DropZone {
  const element = partElement('div', 'drop');
  const [choose, chooseFolder, hint, limits] = [
    partElement('button', 'choose'),
    partElement('button', 'choose-folder'),
    partElement('span', 'hint'),
    partElement('span', 'limits'),
  ];
  const input = partElement('input', 'input');
  element.append(choose, chooseFolder, hint, limits, input);
  limits.id = 'limits';
  input.type = 'file';
  for (const button of [choose, chooseFolder]) {
    button.type = 'button';
    button.addEventListener('click', () => {
      input.webkitdirectory = button === chooseFolder;
      input.click();
    });
  }
  // The input's click must not reach the page as a second click.
  input.addEventListener('click', (event) => event.stopPropagation());
  input.addEventListener('change', () => {
    take({ files: Array.from(input.files ?? [], withPath), folders: [] });
    // Without this, choosing the same file again would fire no event.
    input.value = '';
  });
  const listen = dropListener(element, () => !choose.disabled, take);
  listen(element);
  return {
    element,
    anchor: choose,
    listen,
    allow({ accept, isMultiple, hasFolders, isDisabled, capture }) {
      input.accept = accept;
      input.multiple = isMultiple;
      if (capture === null) input.removeAttribute('capture');
      else input.setAttribute('capture', capture);
      chooseFolder.hidden = !hasFolders;
      choose.disabled = chooseFolder.disabled = isDisabled;
    },
    label(texts, text) {
      choose.textContent = texts.choose;
      chooseFolder.textContent = texts.chooseFolder;
      hint.textContent = texts.orDrop;
      limits.textContent = text;
      if (text === '') choose.removeAttribute('aria-describedby');
      else choose.setAttribute('aria-describedby', limits.id);
    },
    focus: () => choose.focus(),
  };
}

/** Returns a function that accepts drops of files on a target, and marks the zone while one is over it. */
function dropListener(
  zone: HTMLElement,
  isOpen: () => boolean,
  take: (brought: Brought) => void,
): (target: EventTarget, signal?: AbortSignal) => void {
  const isMeant = (event: DragEvent) => isOpen() && event.dataTransfer?.types.includes('Files');
  const over = (event: DragEvent) => {
    if (!isMeant(event)) return;
    event.preventDefault();
    event.dataTransfer!.dropEffect = 'copy';
    zone.toggleAttribute('data-over', true);
  };
  const leave = (event: DragEvent) => {
    // Moving from one child to another does not leave the zone.
    const to = event.relatedTarget as Node | null;
    if (to === null || !(event.currentTarget as Node).contains(to)) zone.removeAttribute('data-over');
  };
  const drop = (event: DragEvent) => {
    zone.removeAttribute('data-over');
    if (!isMeant(event) || event.defaultPrevented) return;
    event.preventDefault();
    take(broughtBy(event.dataTransfer!));
  };
  return (target, signal) => {
    const options = signal && { signal };
    for (const [name, act] of [
      ['dragenter', over],
      ['dragover', over],
      ['dragleave', leave],
      ['drop', drop],
    ] as const)
      target.addEventListener(name, act as EventListener, options);
  };
}
