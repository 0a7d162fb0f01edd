// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** @param tell told of each change */
export function openControl(tell) {
    let state = 'uploading';
    let stretch = new AbortController();
    let wake = () => { };
    const enter = (next) => {
        state = next;
        tell(next);
    };
    return {
        get state() {
            return state;
        },
        get signal() {
            return stretch.signal;
        },
        pause() {
            if (state !== 'uploading' && state !== 'checking')
                return;
            enter('paused');
            stretch.abort();
        },
        resume() {
            if (state !== 'paused')
                return;
            stretch = new AbortController();
            enter('uploading');
            wake();
        },
        cancel() {
            if (state !== 'uploading' && state !== 'checking' && state !== 'paused')
                return;
            enter('cancelled');
            stretch.abort();
            wake();
        },
        end: enter,
        async checking(run) {
            if (state === 'uploading')
                enter('checking');
            try {
                return await run();
            }
            finally {
                if (state === 'checking')
                    enter('uploading');
            }
        },
        whenGoing: async () => {
            if (state === 'paused')
                await new Promise((resolve) => void (wake = resolve));
        },
    };
}
