// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * A callback of the page that cannot decide how an upload ends: what it throws is reported as the platform reports what
 * nobody caught, and the upload goes on.
 */
export function guarded(callback) {
    return (...args) => {
        try {
            callback?.(...args);
        }
        catch (error) {
            report(error);
        }
    };
}
function report(error) {
    if (typeof reportError === 'function')
        return reportError(error);
    queueMicrotask(() => {
        throw error;
    });
}
