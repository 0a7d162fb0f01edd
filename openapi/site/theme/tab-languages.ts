/** The languages of tabs that are not named after one. */
const languages: Readonly<Record<string, string>> = { client: 'JavaScript', fetch: 'JavaScript', Shell: 'curl' };

/** Returns the language that the title of a tab means: a language, a way to use it, or the name of a file. */
function languageOf(title: string): string {
  if (/\.m?js$/.test(title)) return 'JavaScript';
  if (title.endsWith('.py')) return 'Python';
  if (title.endsWith('.go')) return 'Go';
  if (title.endsWith('.php')) return 'PHP';
  return languages[title] ?? title;
}

/** Returns which of the tabs to show after another one was chosen: the same, or one of its language. None is -1. */
export function tabFor(wanted: string, titles: readonly string[]): number {
  const same = titles.indexOf(wanted);
  return same === -1 ? titles.findIndex((title) => languageOf(title) === languageOf(wanted)) : same;
}
