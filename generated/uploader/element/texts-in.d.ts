// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Texts } from './texts.js';
/** The texts of the language around an element: its own `lang` or that of the page, and the reader's own where neither says one. English where it is another. */
export declare function textsAround(element: Element): Texts;
