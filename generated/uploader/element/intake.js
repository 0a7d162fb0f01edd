// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { refusalOf } from './limits.js';
import { isHidden, walkFolder } from './found-files.js';
/** Checks files and adds the accepted ones to the list. Nothing is sent yet. */
export async function takeIn({ files, folders }, options, signal) {
    const takings = { taken: 0, refused: new Map() };
    const refuse = (reason, path, found) => {
        const those = takings.refused.get(reason) ?? { files: [], paths: [], count: 0 };
        takings.refused.set(reason, those);
        those.count++;
        if (those.paths.length < 100)
            those.paths.push(path);
        if (found && those.files.length < 100)
            those.files.push(found);
    };
    const takePiece = (piece) => {
        const limits = options.limits();
        const { files: listed, bytes: listedBytes } = options.listed();
        const taken = [];
        let bytes = listedBytes;
        for (const found of piece) {
            // A chosen folder includes its hidden files. A single hidden file was chosen on purpose.
            const isInside = found.path.includes('/') && found.path.split('/').some(isHidden);
            const reason = isInside && !options.showsHidden()
                ? 'hidden'
                : (refusalOf(found.file, limits, { files: listed + taken.length, bytes }) ??
                    (options.isWanted(found) ? undefined : 'page'));
            if (reason)
                refuse(reason, found.path, found);
            else {
                taken.push(found);
                bytes += found.file.size;
            }
        }
        takings.taken += taken.length;
        if (taken.length > 0)
            options.take(taken);
    };
    takePiece(files);
    if (!options.takesFolders())
        for (const { name } of folders)
            refuse('folder', name);
    const open = options.takesFolders() ? folders : [];
    options.tell(takings, open.length === 0);
    for (const folder of open) {
        let isEmpty = true;
        for await (const { files: piece, hidden, unreadable } of walkFolder(folder, options.showsHidden())) {
            if (signal.aborted)
                return;
            isEmpty &&= piece.length + hidden.length + unreadable.length === 0;
            for (const path of hidden)
                refuse('hidden', path);
            for (const path of unreadable)
                refuse('unreadable', path);
            takePiece(piece);
            options.tell(takings, false);
            // The rest would be rejected too.
            if (takings.refused.has('count'))
                break;
        }
        if (isEmpty)
            refuse('empty', folder.name);
    }
    if (open.length > 0)
        options.tell(takings, true);
}
