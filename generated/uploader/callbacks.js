// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Wraps a callback of the page so that it cannot affect the upload. An error that it throws is reported like an
 * uncaught error.
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
