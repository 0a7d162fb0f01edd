// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Job } from './job.js';
/** Says that one upload alone may use a record. */
export interface Claim {
    release(): void;
}
/**
 * Claims the record of an upload; `undefined` while another upload of the same file for the same destination has it, in this
 * page or another one of its origin. Two that shared one would undo each other's work.
 */
export declare function claimRecord({ resume }: Job): Promise<Claim | undefined>;
