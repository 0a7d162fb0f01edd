import type { PageLanguage } from '../language.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { pt } from './pt.ts';
import type { Words } from './words.ts';

const all: Readonly<Record<PageLanguage, Words>> = { en, pt, es };

/** Returns the page texts of a language. */
export function wordsIn(language: PageLanguage): Words {
  return all[language];
}
