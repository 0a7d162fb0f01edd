// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadState } from './options.js';
/** Where an upload stands, and the switches of what it does. */
export interface Control {
    readonly state: UploadState;
    /** Aborted by the cancellation alone. A pause lets requests under way come to their end. */
    readonly signal: AbortSignal;
    pause(): void;
    resume(): void;
    cancel(): void;
    end(state: 'completed' | 'failed'): void;
    /** Takes note of whether the server can be reached. */
    setDown(isDown: boolean): void;
    /** Runs something that only reads the file; the state is `checking` meanwhile. */
    checking<T>(run: () => Promise<T>): Promise<T>;
    /** Waits while it is paused; throws the signal's reason. */
    whenGoing(signal: AbortSignal): Promise<void>;
}
/** @param tell told of each change */
export declare function openControl(tell: (state: UploadState) => void): Control;
