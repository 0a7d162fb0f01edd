// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Job } from './job.js';
/** The exclusive right of one upload to use a record. */
export interface Claim {
    release(): void;
}
/**
 * Claims the record of an upload. Two uploads that shared a record would overwrite each other's progress.
 *
 * @returns undefined while another upload of the same file to the same destination holds the record, in any page of
 * this origin
 */
export declare function claimRecord({ resume }: Job): Promise<Claim | undefined>;
