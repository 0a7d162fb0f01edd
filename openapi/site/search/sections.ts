import { joined, namesOf } from './words.ts';

/** A section of a page as the generator's index takes it. The last title is its own. */
export interface Section {
  readonly anchor: string;
  readonly titles: string[];
  readonly text: string;
}

const heading = /<h([1-6])[^>]*>(.*?)<a[^>]* href="#([^"]*)"[^>]*>.*?<\/a><\/h\1>/gs;

/** Code at the beginning of an entry or of a cell: what the rest of it explains. */
const explained = /<(?:li|td)[^>]*>\s*(?:<p>)?((?:<code>[^<]*<\/code>(?:, )?)+)/g;

/** So many times a name counts where it is explained. */
const explainedWeight = 5;

/**
 * Returns the sections of a rendered page. Titles are HTML, as the box shows them. Names with underscores are in a text
 * once more as one word, because the index splits at underscores.
 */
export function sectionsOf(html: string): Section[] {
  const found = [...html.matchAll(heading)];
  const above: string[] = [];
  return found.flatMap(({ 0: whole, 1: level, 2: inner, 3: anchor, index }, at) => {
    const title = inner!.replaceAll(/<[^>]*>/g, '').trim();
    if (title === '') return [];
    above.length = Number(level) - 1;
    const titles = [...above.filter((one) => one !== undefined), title];
    above[Number(level) - 1] = title;
    const body = html.slice(index + whole.length, found[at + 1]?.index);
    return [{ anchor: anchor!, titles, text: [textOf(body), ...nameWords(title, body)].join(' ') }];
  });
}

/** Returns the names of a section as words of the index. */
function nameWords(title: string, body: string): string[] {
  const all = new Set(namesOf(`${title} ${textOf(body)}`));
  const here = new Set([...body.matchAll(explained)].flatMap(([, code]) => namesOf(code!)));
  return [...all].flatMap((name) => Array<string>(here.has(name) ? explainedWeight : 1).fill(joined(name)));
}

function textOf(html: string): string {
  return (
    html
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll(/&#(\d+);/g, (_whole, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll('&amp;', '&')
      // The index splits at punctuation alone: `object=$ID`.
      .replaceAll(/\p{S}/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}
