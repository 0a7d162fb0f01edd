// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Part } from './chunk-plan.js';
/** Returns the SHA-256 of a part of the file, or `undefined` without WebCrypto. Each part is read only once. */
export type PartSums = (part: Part) => Promise<string | undefined>;
export declare function partSumsOf(file: Blob): PartSums;
