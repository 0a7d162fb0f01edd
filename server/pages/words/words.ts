import type { PageLanguage } from '../language.ts';
import { en, type Words } from './en.ts';
import { es } from './es.ts';
import { pt } from './pt.ts';

export type { Words };

/** The kind of a file, for its icon and its name. */
export type FileKind = keyof Words['kinds'];

/** Error codes that have no page of their own. */
export type PageCode = keyof Words['failure']['reasons'];

const all: Readonly<Record<PageLanguage, Words>> = { en, pt, es };

/** Returns the page texts of a language. */
export function wordsIn(language: PageLanguage): Words {
  return all[language];
}
