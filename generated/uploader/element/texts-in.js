// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { english } from './texts-en.js';
import { portuguese } from './texts-pt.js';
import { spanish } from './texts-es.js';
const spoken = { en: english, pt: portuguese, es: spanish };
/**
 * Returns the texts of the language around an element: its own `lang`, the page's, or the user's. English for any other
 * language.
 */
export function textsAround(element) {
    const lang = element.closest('[lang]')?.getAttribute('lang') || document.documentElement.lang || navigator.language;
    return spoken[lang.toLowerCase().split('-', 1)[0]] ?? english;
}
