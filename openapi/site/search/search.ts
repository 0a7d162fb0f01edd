import MiniSearch, { type SearchResult } from 'minisearch';

import { weightOf } from './kinds.ts';
import { conceptsOf, type Concept, type Phrase } from './query.ts';
import { formsOf, joined, wordsOf } from './words.ts';

/** The words to mark in a section, and the fields in which they are. */
type Match = Readonly<Record<string, readonly string[]>>;

/** A section of a page that was found, as the search box of the generator shows it. */
export interface Found {
  /** The address of the section within the site: `/shares#passwords`. */
  readonly id: string;
  /** HTML. */
  readonly title: string;
  /** The titles above it, the page's first. HTML. */
  readonly titles: readonly string[];
  readonly score: number;
  readonly match: Match;
}

interface Hit {
  readonly score: number;
  /** The part of what was looked for that is there, up to 1. */
  readonly part: number;
  readonly match: Match;
}

/** Sections by their ids. */
type Hits = ReadonlyMap<string, Hit>;

/** So many pages are shown with their best section before any page has a second one. */
const pagesFirst = 8;

/** How much counts what only the other sections of a page have. */
const otherSections = 0.3;

/** The factor of a section that is named as what was typed: an error code, an operation. */
const namedBoost = 10;

/** `allow` where `allowed` was typed. */
const otherForm = 0.8;

/** How much counts a word that begins with what was typed: little if the index has that itself. */
const prefixWeights = { known: 0.25, unknown: 0.6 };

const options = { boost: { title: 3, titles: 2, text: 1 }, prefix: true };

/** The search of the site. It takes the place of MiniSearch in the generator's search box. */
export default class SiteSearch {
  readonly #index: MiniSearch;

  private constructor(index: MiniSearch) {
    this.#index = index;
  }

  /** Returns the search over an index that the generator wrote. */
  static loadJSON(json: string): SiteSearch {
    const fields = ['title', 'titles', 'text'];
    return new SiteSearch(MiniSearch.loadJSON(json, { fields, storeFields: ['title', 'titles'] }));
  }

  /**
   * Returns the sections that answer a text, best first: one of each page, then their others. If they fit alike, guides
   * come before the reference, the reference before error codes, and these before tables and history.
   */
  search(text: string): Found[] {
    const hits = conceptsOf(text, (word) => this.#isKnown(word)).map((concept) => this.#hitsOf(concept));
    const sections = this.#rank(hits, text.trim());
    const first = [...Map.groupBy(sections, ({ id }) => pageOf(id)).values()]
      .map((ofPage) => ({ best: ofPage[0]!, score: pageScore(ofPage, hits) }))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, pagesFirst)
      .map(({ best }) => best);
    const shown = new Set(first);
    return [...first, ...sections.filter((section) => !shown.has(section))];
  }

  /** Orders all sections in which something was found. */
  #rank(hits: readonly Hits[], typed: string): Found[] {
    const ids = new Set(hits.flatMap((one) => [...one.keys()]));
    return [...ids]
      .map((id): Found => {
        const { title, titles } = this.#index.getStoredFields(id) as Pick<Found, 'title' | 'titles'>;
        const here = hits.flatMap((one) => one.get(id) ?? []);
        const score = scoreOf(here, hits.length) * (isNamed(typed, { id, title, titles }) ? namedBoost : weightOf(id));
        return { id, title, titles, score, match: Object.assign({}, ...here.map(({ match }) => match)) };
      })
      .toSorted((a, b) => b.score - a.score);
  }

  /** A section counts by the phrase that fits it best. */
  #hitsOf({ phrases, name }: Concept): Hits {
    const best = new Map<string, Hit>();
    for (const phrase of phrases)
      for (const [id, hit] of this.#hitsOfPhrase(phrase)) {
        const known = best.get(id);
        const { score, part } = known && known.score >= hit.score ? known : hit;
        best.set(id, { score, part, match: { ...known?.match, ...hit.match } });
      }
    // The text has a name as it is written, not as one word.
    if (name !== undefined)
      for (const [id, { match, ...hit }] of best)
        if (match[joined(name)]) best.set(id, { ...hit, match: { [name]: match[joined(name)]! } });
    return best;
  }

  #hitsOfPhrase({ words, weight }: Phrase): Hits {
    const results = words.map((word) => this.#resultsOf(word));
    const ids = new Set(results.flatMap((one) => [...one.keys()]));
    return new Map(
      [...ids].map((id): [string, Hit] => {
        const here = results.flatMap((one) => one.get(id) ?? []);
        const part = here.length / words.length;
        const sum = here.reduce((total, { score }) => total + score, 0);
        // A phrase counts more than a word, and less than its words one by one.
        const score = (weight * part * sum) / Math.sqrt(words.length);
        return [id, { score, part, match: Object.assign({}, ...here.map(({ match }) => match)) }];
      }),
    );
  }

  /** Returns whether the index has a word, a form of it or one that begins with it. */
  #isKnown(word: string): boolean {
    return formsOf(word).some((form) => this.#index.search(form, { prefix: true }).length > 0);
  }

  /** Finds the forms of a word that the index has, also as the beginning of longer ones; without any, mistyped ones. */
  #resultsOf(word: string): ReadonlyMap<string, SearchResult> {
    const forms = formsOf(word);
    const known = forms.filter((form) => this.#index.search(form).length > 0);
    const prefix = known.length > 0 ? prefixWeights.known : prefixWeights.unknown;
    const exact = (known.length > 0 ? known : forms).flatMap((form) =>
      this.#index.search(form, {
        ...options,
        weights: { prefix, fuzzy: 0 },
        boostTerm: () => (form === word ? 1 : otherForm),
      }),
    );
    const results =
      exact.length > 0
        ? exact
        : this.#index.search(word, { ...options, weights: { prefix, fuzzy: 0.6 }, fuzzy: word.length < 6 ? 1 : 2 });
    // The best of each section stands last.
    return new Map(results.toSorted((a, b) => a.score - b.score).map((result) => [String(result.id), result]));
  }
}

/** Returns whether a section is named as what was typed. Single words are titles of the reference, and no names. */
function isNamed(typed: string, { id, title, titles }: Pick<Found, 'id' | 'title' | 'titles'>): boolean {
  const words = wordsOf(typed);
  if (words.length < 2) return false;
  if (titles.length === 0 && pageOf(id) === `/errors/${typed.toUpperCase()}`) return true;
  return wordsOf(title).join(' ') === words.join(' ');
}

/** Returns the score of what was found in one place. A place with half of what is looked for counts much less. */
function scoreOf(here: readonly Hit[], concepts: number): number {
  const sum = here.reduce((total, { score }) => total + score, 0);
  const part = here.reduce((total, one) => total + one.part, 0) / concepts;
  return sum * part ** 1.5;
}

function pageOf(id: string): string {
  return id.replace(/#.*/, '');
}

/** A page counts by its best section, and a little by all that it has. */
function pageScore(sections: readonly Found[], hits: readonly Hits[]): number {
  const best = hits.flatMap((one) => {
    const here = sections.flatMap(({ id }) => one.get(id) ?? []);
    return here.length === 0 ? [] : [here.reduce((a, b) => (b.score > a.score ? b : a))];
  });
  const { id, score } = sections[0]!;
  return score + otherSections * weightOf(id) * scoreOf(best, hits.length);
}
