// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { unlessAborted } from './time-limits.js';
import { cancelled } from './upload-error.js';
/**
 * Creates the control of one upload.
 *
 * @param tell called with each new state
 */
export function openControl(tell) {
    let state = 'uploading';
    let isDown = false;
    let waiting;
    let goOn = () => { };
    const stop = new AbortController();
    const enter = (next) => {
        state = next;
        tell(next);
    };
    const isActive = () => state === 'uploading' || state === 'checking' || state === 'offline';
    const sending = () => (isDown ? 'offline' : 'uploading');
    return {
        get state() {
            return state;
        },
        signal: stop.signal,
        pause() {
            if (!isActive())
                return;
            waiting = new Promise((resolve) => void (goOn = resolve));
            enter('paused');
        },
        resume() {
            if (state !== 'paused')
                return;
            enter(sending());
            goOn();
        },
        cancel() {
            if (!isActive() && state !== 'paused')
                return;
            enter('cancelled');
            stop.abort(cancelled());
        },
        end: enter,
        setDown(next) {
            isDown = next;
            if ((state === 'uploading' || state === 'offline') && state !== sending())
                enter(sending());
        },
        async checking(run) {
            if (state === 'uploading' || state === 'offline')
                enter('checking');
            try {
                return await run();
            }
            finally {
                if (state === 'checking')
                    enter(sending());
            }
        },
        async whenGoing(signal) {
            while (state === 'paused')
                await unlessAborted(waiting, signal);
        },
    };
}
