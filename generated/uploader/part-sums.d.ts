// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Part } from './chunk-plan.js';
/** SHA-256 of a part of the file; `undefined` without WebCrypto. Each part is read once, however often it is asked for. */
export type PartSums = (part: Part) => Promise<string | undefined>;
export declare function partSumsOf(file: Blob): PartSums;
