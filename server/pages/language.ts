/** A language of the pages. */
export type PageLanguage = 'en' | 'pt' | 'es';

const spoken: readonly PageLanguage[] = ['en', 'pt', 'es'];

/** More entries than any real header has. Further ones are ignored. */
const maxRanges = 50;

interface Range {
  /** Lowercase, such as `pt-br`; `*` for any language. */
  readonly tag: string;
  readonly weight: number;
}

/**
 * Chooses the page language for an `Accept-Language` header. The highest weight wins, and the first of equal weights.
 * Regions are ignored. Returns English if nothing matches or there is no header.
 *
 * @see RFC 9110, section 12.5.4, and RFC 4647, section 3.4
 */
export function languageOf(acceptLanguage: string | undefined): PageLanguage {
  const ranges = (acceptLanguage ?? '').split(',', maxRanges).flatMap(parseRange);
  const refused = new Set(ranges.filter(({ weight }) => weight === 0).map(({ tag }) => tag));
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  for (const { tag } of wanted) {
    // "*" matches every language that no other range names.
    const named = new Set(ranges.map(({ tag: other }) => primaryOf(other)));
    const fitting =
      tag === '*'
        ? spoken.find((language) => !named.has(language))
        : spoken.find((language) => language === primaryOf(tag) && !refused.has(language));
    if (fitting) return fitting;
  }
  return 'en';
}

/** Parses a range with its weight. Returns an empty list for invalid text. */
function parseRange(text: string): Range[] {
  const [, tag, weight = '1'] =
    /^\s*(\*|[a-z]{1,8}(?:-[a-z\d]{1,8})*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i.exec(text) ?? [];
  return tag === undefined ? [] : [{ tag: tag.toLowerCase(), weight: Number(weight) }];
}

function primaryOf(tag: string): string {
  return tag.split('-', 1)[0]!;
}
