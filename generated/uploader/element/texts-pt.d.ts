// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Texts } from './texts.js';
/** Portuguese of Brazil. */
export declare const portuguese: Texts;
