// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { makeAnnouncer } from './announcer.js';
import { makeDropZone } from './drop-zone.js';
import { partElement } from './part-element.js';
import { makeRows } from './rows.js';
import { elementSheet } from './style.js';
import { makeTotals } from './totals.js';
/** The most file names in a message about rejected files. */
const mostNames = 5;
export function makePanel(root, options) {
    const [note, list, more, said] = [
        partElement('p', 'note'),
        partElement('ul', 'list'),
        partElement('p', 'more'),
        partElement('p', 'said'),
    ];
    const zone = makeDropZone(options.take);
    const totals = makeTotals(options.actOnAll);
    const rows = makeRows(list, options);
    root.adoptedStyleSheets = [elementSheet()];
    // Safari does not treat a list without bullets as a list.
    list.setAttribute('role', 'list');
    said.setAttribute('role', 'status');
    root.append(zone.element, note, totals.element, list, more, said);
    return {
        zone,
        rows,
        totals,
        announcer: makeAnnouncer(said, options.texts),
        noteTakings({ taken, refused }, limits, isOver) {
            const texts = options.texts();
            const sentences = [...refused].map(([reason, { paths, count }]) => texts.saysRefused(texts.refused(reason, limits), paths.slice(0, mostNames), count - Math.min(count, mostNames)));
            note.textContent = (isOver ? sentences : [texts.reading(taken), ...sentences]).join(' ');
            note.toggleAttribute('data-busy', !isOver);
            return sentences;
        },
        clearNote: () => void (note.textContent = ''),
        label() {
            list.setAttribute('aria-label', options.texts().list);
            rows.refresh();
        },
        showHidden: () => void (more.textContent = rows.hidden > 0 ? options.texts().notShown(rows.hidden) : ''),
    };
}
