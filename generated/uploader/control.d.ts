// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadState } from './options.js';
/** The state of an upload, and the methods that change it. */
export interface Control {
    readonly state: UploadState;
    /** Aborted by `cancel()` only. Requests in flight continue during a pause. */
    readonly signal: AbortSignal;
    pause(): void;
    resume(): void;
    cancel(): void;
    end(state: 'completed' | 'failed'): void;
    /** Records whether the server is unreachable. */
    setDown(isDown: boolean): void;
    /** Runs a task that only reads the file. The state is `checking` meanwhile. */
    checking<T>(run: () => Promise<T>): Promise<T>;
    /** Waits while the upload is paused. Throws the signal's reason when it is aborted. */
    whenGoing(signal: AbortSignal): Promise<void>;
}
/**
 * Creates the control of one upload.
 *
 * @param tell called with each new state
 */
export declare function openControl(tell: (state: UploadState) => void): Control;
