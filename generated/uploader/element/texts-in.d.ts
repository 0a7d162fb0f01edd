// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Texts } from './texts.js';
/**
 * Returns the texts of the language around an element: its own `lang`, the page's, or the user's. English for any other
 * language.
 */
export declare function textsAround(element: Element): Texts;
