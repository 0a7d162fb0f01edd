/** Makes an element whose class is also its part name, so that pages can style it. */
export function partElement<K extends keyof HTMLElementTagNameMap>(tag: K, name: string): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = name;
  element.setAttribute('part', name);
  return element;
}

/** Makes a button with a visible text and a label that also names its target. */
export function actionButton(action: string, text: string, label: string, act: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.dataset.action = action;
  button.setAttribute('part', `button ${action}`);
  // The label begins with the visible word, because voice control users say what they see.
  if (label !== text) button.setAttribute('aria-label', label);
  button.addEventListener('click', act);
  return button;
}

/** Replaces the buttons. If the old one had the focus, the new one at the same place from the end gets it. */
export function replaceKeepingFocus(parent: HTMLElement, next: readonly HTMLElement[]): void {
  const root = parent.getRootNode() as ShadowRoot | Document;
  const before = Array.from(parent.children);
  const at = root.activeElement ? before.indexOf(root.activeElement) : -1;
  parent.replaceChildren(...next);
  if (at >= 0) next[Math.max(0, next.length - (before.length - at))]?.focus();
}
