// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { isOn } from './attributes.js';
import { broughtBy } from './found-files.js';
import { isForAnother, withNames } from './pasted.js';
/**
 * Handles pastes, drops outside the element and leaving the page, as the attributes say, until the signal is aborted.
 */
export function listenAround(element, { zone, take, isBusy }, signal) {
    const onPaste = (event) => {
        if (event.defaultPrevented || !event.clipboardData || isForAnother(event))
            return;
        const brought = withNames(broughtBy(event.clipboardData), new Date());
        if (brought.files.length + brought.folders.length === 0)
            return;
        event.preventDefault();
        take(brought);
    };
    const onLeave = (event) => {
        if (isOn(element, 'confirm-leave') && isBusy())
            event.preventDefault();
    };
    const paste = element.getAttribute('paste');
    const target = paste === 'page' ? document : element;
    if (paste !== 'off' && paste !== 'false')
        target.addEventListener('paste', onPaste, { signal });
    if (element.getAttribute('drop') === 'page')
        zone.listen(document, signal);
    globalThis.addEventListener('beforeunload', onLeave, { signal });
}
