/** Kinds of pages, and the factor of their scores. If pages fit alike, guides come first. */
const weights = { guide: 1, overview: 0.6, reference: 0.5, error: 0.3, history: 0.25 };

const history = new Set(['tables', 'changelog', 'contract', 'api-changes']);
const lists = new Set(['', 'guides', 'reference', 'scopes']);

/** These say shortly what the guide of a thing says, and name every thing. */
const overviews = /^(?:faq|glossary|troubleshooting|from-[\w-]+|start\/frameworks\/.+)$/;

/** Each operation has such a section. */
const detail = /-(?:parameters|body|response|errors|samples)$/;
const detailWeight = 0.3;

/** Returns the kind of a page, by an address within the site such as `/shares#passwords`. */
export function kindOf(id: string): keyof typeof weights {
  const page = id.replace(/#.*/, '').slice(1);
  if (/^errors\b|^s3-errors$/.test(page)) return 'error';
  if (page.startsWith('reference/') || lists.has(page)) return 'reference';
  if (overviews.test(page)) return 'overview';
  return history.has(page) ? 'history' : 'guide';
}

/** Returns the factor of the score of a section, up to 1. */
export function weightOf(id: string): number {
  const kind = kindOf(id);
  return kind === 'reference' && detail.test(id) ? detailWeight : weights[kind];
}
