// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { ResumeStore } from './resume-store.js';
/** Keeps records in the browser's IndexedDB, for the page's origin. They survive reloads and crashes. */
export declare function indexedDbStore(name?: string): ResumeStore;
