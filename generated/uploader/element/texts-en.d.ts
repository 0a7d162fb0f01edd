// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Texts } from './texts.js';
export declare const english: Texts;
