/** Makes the menu a landmark: everything around it that does not hold the main part. */
function nameMenu(place) {
  let around = place.querySelector('[data-component-name="Menu/Menu"]');
  if (!around) return;
  while (!around.parentElement.querySelector('main')) around = around.parentElement;
  around.setAttribute('role', 'navigation');
  around.setAttribute('aria-label', 'Operations');
}

/** Gives headings levels without gaps: Redoc chooses them by their size. */
function levelHeadings(place) {
  let above = 0;
  for (const heading of place.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const level = Math.min(Number(heading.localName[1]), above + 1);
    if (level === Number(heading.localName[1])) heading.removeAttribute('aria-level');
    else heading.setAttribute('aria-level', String(level));
    above = level;
  }
}

const given = new WeakMap();

/** Adds the shown text to the names of buttons that leave it out, as speech control needs it. */
function nameButtons(place) {
  for (const button of place.querySelectorAll('button[aria-label]')) {
    const text = button.innerText.trim();
    if (!given.has(button)) given.set(button, button.ariaLabel);
    const label = given.get(button);
    if (text !== '' && !label.toLowerCase().includes(text.toLowerCase())) button.ariaLabel = `${label}: ${text}`;
  }
}

/** Repairs what Redoc tells screen readers, after each of its changes. */
export function makeAccessible(place) {
  let isDue = false;
  const repair = () => {
    isDue = false;
    for (const one of [nameMenu, levelHeadings, nameButtons]) one(place);
  };
  new MutationObserver(() => {
    if (!isDue) requestAnimationFrame(repair);
    isDue = true;
  }).observe(place, { childList: true, subtree: true, characterData: true });
}
