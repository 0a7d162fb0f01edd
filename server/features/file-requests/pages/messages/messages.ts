import type { PageLanguage } from '#server/pages/language.ts';
import { en, type RequestMessages } from './en.ts';
import { es } from './es.ts';
import { pt } from './pt.ts';

export type { RequestMessages };

const all: Readonly<Record<PageLanguage, RequestMessages>> = { en, pt, es };

/** Returns the texts of file requests in a language. */
export function requestMessagesIn(language: PageLanguage): RequestMessages {
  return all[language];
}
