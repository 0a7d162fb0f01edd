// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { UploadError } from '../upload-error.js';
import { uploadFile } from '../upload-file.js';
/** Files uploaded at a time. Each sends three parts at a time, which makes the six that the server allows. */
const filesAtOnce = 2;
export function isRunning({ state }) {
    return state === 'uploading' || state === 'checking' || state === 'offline';
}
/** Returns whether the file is neither completed nor failed. */
export function isUnfinished({ state }) {
    return state !== 'completed' && state !== 'failed';
}
export function makeQueue({ optionsFor, mayStart, changed, removed }) {
    const items = [];
    const running = new Set();
    /** In upload order. Removed items are skipped. */
    const waiting = [];
    let movedBytes = 0;
    const enter = (item, state) => {
        item.state = state;
        if (isRunning(item))
            running.add(item);
        else
            running.delete(item);
        changed(item, 'state');
        queue.startNext();
    };
    const move = (item, progress) => {
        const sent = ({ sentBytes, resumedBytes }) => sentBytes - resumedBytes;
        movedBytes += Math.max(0, sent(progress) - sent(item.progress));
        item.progress = progress;
        changed(item, 'progress');
    };
    const drop = (item) => {
        // From the end, because removing all items starts there.
        const index = items.lastIndexOf(item);
        if (index < 0)
            return;
        items.splice(index, 1);
        running.delete(item);
        item.state = 'cancelled';
        removed(item);
        queue.startNext();
    };
    const fail = (item, reason) => {
        item.error =
            reason instanceof UploadError
                ? reason
                : new UploadError({ code: 'UNEXPECTED_ANSWER', message: String(reason), retryable: false, cause: reason });
        if (item.error.code === 'UPLOAD_CANCELLED')
            return drop(item);
        enter(item, 'failed');
    };
    const start = (item) => {
        const isMine = () => item.upload === upload;
        const upload = uploadFile(item.file, {
            ...optionsFor(item),
            onProgress: (progress) => isMine() && move(item, progress),
            onState: (state) => isMine() && state !== 'completed' && state !== 'failed' && enter(item, state),
        });
        item.upload = upload;
        enter(item, 'uploading');
        upload.done.then((uploaded) => {
            item.uploaded = uploaded;
            enter(item, 'completed');
        }, (reason) => isMine() && fail(item, reason));
    };
    const queue = {
        items,
        get movedBytes() {
            return movedBytes;
        },
        add(found) {
            const item = {
                ...found,
                state: 'waiting',
                progress: { sentBytes: 0, totalBytes: found.file.size, resumedBytes: 0 },
            };
            items.push(item);
            waiting.push(item);
            return item;
        },
        startNext() {
            while (mayStart() && running.size < filesAtOnce && waiting.length > 0) {
                const item = waiting.shift();
                if (item.state === 'waiting')
                    start(item);
            }
        },
        retry(item) {
            delete item.error;
            waiting.unshift(item);
            enter(item, 'waiting');
        },
        remove(item) {
            const { upload, state } = item;
            if (state === 'waiting' || state === 'completed' || state === 'failed')
                drop(item);
            // For a failed upload, this deletes the parts that were kept for a retry.
            void upload?.cancel();
        },
    };
    return queue;
}
