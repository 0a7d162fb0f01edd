/** Attributes that the search box of the generator sets, and that say something untrue. */
const untrue: ReadonlyArray<readonly [selector: string, attributes: readonly string[]]> = [
  // A button cannot hold the buttons and links of a dialog, nor an option a link.
  ['.VPLocalSearchBox', ['aria-owns', 'aria-expanded', 'aria-haspopup', 'aria-labelledby']],
  ['.VPLocalSearchBox ul', ['role', 'aria-labelledby']],
  ['.VPLocalSearchBox li', ['role', 'aria-selected']],
  // Its name must begin with what is shown.
  ['.VPLocalSearchBox li a', ['aria-label']],
  ['.VPLocalSearchBox input', ['aria-activedescendant', 'aria-autocomplete', 'aria-controls', 'aria-labelledby']],
];

function repair(): void {
  const box = document.querySelector('.VPLocalSearchBox');
  if (!box) return;
  if (box.getAttribute('role') !== 'dialog') {
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-modal', 'true');
    box.setAttribute('aria-label', 'Search');
    box.querySelector('input')?.setAttribute('aria-label', 'Search');
    for (const key of box.querySelectorAll('kbd[aria-label]')) key.setAttribute('role', 'img');
  }
  for (const [selector, attributes] of untrue)
    for (const element of document.querySelectorAll(selector))
      for (const attribute of attributes) element.removeAttribute(attribute);
}

/** Makes the search box a dialog with a field and a list of links, for screen readers. */
export function repairSearchRoles(): void {
  const attributeFilter = ['role', ...new Set(untrue.flatMap(([, attributes]) => attributes))].filter(
    (name) => name !== 'aria-label',
  );
  new MutationObserver(repair).observe(document.body, { childList: true, subtree: true, attributeFilter });
}
