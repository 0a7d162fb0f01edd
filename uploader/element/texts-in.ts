import { english } from './texts-en.ts';
import { portuguese } from './texts-pt.ts';
import { spanish } from './texts-es.ts';
import type { Texts } from './texts.ts';

const spoken: Readonly<Record<string, Texts>> = { en: english, pt: portuguese, es: spanish };

/**
 * Returns the texts of the language around an element: its own `lang`, the page's, or the user's. English for any other
 * language.
 */
export function textsAround(element: Element): Texts {
  const lang = element.closest('[lang]')?.getAttribute('lang') || document.documentElement.lang || navigator.language;
  return spoken[lang.toLowerCase().split('-', 1)[0]!] ?? english;
}
