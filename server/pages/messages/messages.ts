import type { PageLanguage } from '../language.ts';
import { en, type Messages } from './en.ts';
import { es } from './es.ts';
import { pt } from './pt.ts';

export type { Messages };

/** The kind of a file, for its icon and its name. */
export type FileKind = keyof Messages['kinds'];

/** Error codes that have no page of their own. */
export type PageCode = keyof Messages['failure']['reasons'];

const all: Readonly<Record<PageLanguage, Messages>> = { en, pt, es };

/** Returns the page texts of a language. */
export function messagesIn(language: PageLanguage): Messages {
  return all[language];
}
