/** What a line of an excerpt is: the smallest part that can be read alone. */
const lines = 'p, li, tr, .line';

/** Returns how many different words are marked in a part of an excerpt. */
function marksOf(line: Element): number {
  return new Set([...line.querySelectorAll('mark')].map(({ textContent }) => textContent.toLowerCase())).size;
}

/** Scrolls each excerpt of the search box to its line with the most of the marked words, the first of them. */
function scrollExcerpts(): void {
  for (const excerpt of document.querySelectorAll('.VPLocalSearchBox .excerpt')) {
    let best: Element | undefined;
    let most = 0;
    for (const line of excerpt.querySelectorAll(lines)) {
      const marks = marksOf(line);
      if (marks > most) [best, most] = [line, marks];
    }
    if (best) excerpt.scrollTop += best.getBoundingClientRect().top - excerpt.getBoundingClientRect().top - 8;
  }
}

/** Shows the best line of each result of a search. The generator shows the first marked word, which may be any. */
export function showBestLines(): void {
  let frame = 0;
  new MutationObserver((changes) => {
    const isMarked = changes.some(
      ({ target }) => target instanceof Element && target.closest('.VPLocalSearchBox .excerpt'),
    );
    if (!isMarked) return;
    // The generator scrolls once it has set all marks.
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(scrollExcerpts);
  }).observe(document.body, { childList: true, subtree: true });
}
