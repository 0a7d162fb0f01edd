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

/**
 * Replaces the buttons, except those that stay the same: a browser drops the click of a button that is taken out between
 * press and release. If a button with the focus is gone, the new one at the same place from the end gets it.
 */
export function replaceKeepingFocus(parent: HTMLElement, next: readonly HTMLElement[]): void {
  const root = parent.getRootNode() as ShadowRoot | Document;
  const before = Array.from(parent.children) as HTMLElement[];
  const at = root.activeElement ? before.indexOf(root.activeElement as HTMLElement) : -1;
  const shown = next.map((made) => before.find((old) => old.isEqualNode(made)) ?? made);
  for (const old of before) if (!shown.includes(old)) old.remove();
  shown.forEach((one, index) => {
    if (parent.children[index] !== one) parent.insertBefore(one, parent.children[index] ?? null);
  });
  if (at >= 0 && !shown.includes(before[at]!)) shown[Math.max(0, shown.length - (before.length - at))]?.focus();
}
