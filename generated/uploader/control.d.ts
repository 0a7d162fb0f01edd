// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadState } from './options.js';
/** Where an upload stands, and the switch of what is under way. */
export interface Control {
    readonly state: UploadState;
    /** Of the present stretch: aborted by a pause and by the cancellation. */
    readonly signal: AbortSignal;
    pause(): void;
    resume(): void;
    cancel(): void;
    end(state: 'completed' | 'failed'): void;
    /** Runs something that only reads the file; the state is `checking` meanwhile. */
    checking<T>(run: () => Promise<T>): Promise<T>;
    /** Waits while it is paused. */
    whenGoing(): Promise<void>;
}
/** @param tell told of each change */
export declare function openControl(tell: (state: UploadState) => void): Control;
