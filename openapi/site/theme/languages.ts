import { tabFor } from './tab-languages.ts';

const storageName = 'cubby-docs-language';

/** The title of the tab that the reader chose last. Without storage it is known until the next page is loaded. */
let chosen: string | undefined;

/** Shows the chosen tab in all groups of the page but one. */
function show(wanted: string, except?: Element): void {
  for (const group of document.querySelectorAll('.vp-code-group')) {
    if (group === except) continue;
    const titles = [...group.querySelectorAll('.tabs label')].map(({ textContent }) => textContent);
    const at = tabFor(wanted, titles);
    const input = group.querySelectorAll<HTMLInputElement>('.tabs input')[at];
    if (!input) continue;
    // A click would scroll to the group.
    input.checked = true;
    const blocks = [...(group.querySelector('.blocks')?.children ?? [])];
    for (const [index, block] of blocks.entries()) block.classList.toggle('active', index === at);
  }
}

/** Names the groups of tabs of a new page, and shows its samples in the language that the reader chose last. */
export function showChosenLanguage(): void {
  for (const tabs of document.querySelectorAll('.vp-code-group .tabs')) {
    tabs.setAttribute('role', 'radiogroup');
    tabs.setAttribute('aria-label', 'Language of the sample');
  }
  try {
    chosen = localStorage.getItem(storageName) ?? chosen;
  } catch {
    // See above.
  }
  if (chosen !== undefined) show(chosen);
}

/** Keeps all samples in the language that the reader chooses, on every page. */
export function followLanguage(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const group = target.closest('.vp-code-group');
    const title = target.labels?.[0]?.textContent;
    if (!group || !title) return;
    const before = target.getBoundingClientRect().top;
    chosen = title;
    show(title, group);
    // The groups above may have other heights now.
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
    try {
      localStorage.setItem(storageName, title);
    } catch {
      // See above.
    }
  });
}
