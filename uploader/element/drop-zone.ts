import { droppedFiles } from './accepted.ts';
import type { Texts } from './texts.ts';

/** Where files are dropped or chosen. */
export interface DropZone {
  readonly element: HTMLElement;
  allow(files: { readonly accept: string; readonly isMultiple: boolean; readonly isDisabled: boolean }): void;
  label(texts: Texts): void;
  focus(): void;
}

/** Makes an element with its class as its part, so that pages can style it. */
export function partElement<K extends keyof HTMLElementTagNameMap>(tag: K, name: string): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = name;
  element.setAttribute('part', name);
  return element;
}

/** @param take told which files were chosen or dropped */
export function makeDropZone(take: (files: readonly File[]) => void): DropZone {
  const element = partElement('div', 'drop');
  const choose = partElement('button', 'choose');
  const hint = partElement('span', 'hint');
  const input = partElement('input', 'input');
  choose.type = 'button';
  input.type = 'file';
  element.append(choose, hint, input);
  choose.addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    take(Array.from(input.files ?? []));
    // The same file may be chosen again.
    input.value = '';
  });
  const over = (isOver: boolean) => (event: DragEvent) => {
    if (choose.disabled || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    element.toggleAttribute('data-over', isOver);
  };
  for (const name of ['dragenter', 'dragover'] as const) element.addEventListener(name, over(true));
  for (const name of ['dragleave', 'drop'] as const) element.addEventListener(name, over(false));
  element.addEventListener('drop', (event) => {
    if (event.defaultPrevented) take(droppedFiles(event.dataTransfer!));
  });
  return {
    element,
    allow({ accept, isMultiple, isDisabled }) {
      input.accept = accept;
      input.multiple = isMultiple;
      choose.disabled = isDisabled;
    },
    label(texts) {
      choose.textContent = texts.choose;
      hint.textContent = texts.orDrop;
    },
    focus: () => choose.focus(),
  };
}
