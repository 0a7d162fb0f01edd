const storageName = 'cubby-docs-language';

function textOf(input: HTMLInputElement): string {
  return document.querySelector(`label[for="${CSS.escape(input.id)}"]`)?.textContent ?? '';
}

/** Shows the samples in one language in every group of the page that has it. */
function choose(language: string, except?: HTMLInputElement): void {
  const name = except?.name;
  for (const input of document.querySelectorAll<HTMLInputElement>('.vp-code-group input'))
    if (input.name !== name && !input.checked && textOf(input) === language) input.click();
}

/**
 * Keeps all samples in the language that the reader chose last, also on the next page. Returns a function that stops
 * it.
 */
export function followLanguage(): () => void {
  for (const tabs of document.querySelectorAll('.vp-code-group .tabs')) {
    tabs.setAttribute('role', 'radiogroup');
    tabs.setAttribute('aria-label', 'Language of the sample');
  }
  try {
    const kept = localStorage.getItem(storageName);
    if (kept) choose(kept);
  } catch {
    // Without storage the choice lasts for this page.
  }
  const changed = ({ target, isTrusted }: Event) => {
    if (!isTrusted || !(target instanceof HTMLInputElement) || !target.closest('.vp-code-group')) return;
    const before = target.getBoundingClientRect().top;
    const language = textOf(target);
    choose(language, target);
    // The groups above may have other heights now.
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
    try {
      localStorage.setItem(storageName, language);
    } catch {
      // See above.
    }
  };
  document.addEventListener('change', changed);
  return () => document.removeEventListener('change', changed);
}
