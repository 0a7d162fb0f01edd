// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { makeRow } from './row.js';
/** The most rows in the page. Further files are only counted. */
const mostRows = 100;
/** The most failed rows that stay while other files wait for a row. */
const mostFailed = 50;
export function makeRows(list, options) {
    const rows = new Map();
    let later = [];
    /** Items that had a row and lost it. */
    let dropped = 0;
    let failed = 0;
    const show = (item) => {
        const row = makeRow(item, options);
        rows.set(item, row);
        list.append(row.element);
    };
    const fill = () => {
        while (rows.size < mostRows && later.length > 0)
            show(later.shift());
    };
    const hasFocus = ({ element }) => element.contains(element.getRootNode().activeElement);
    const take = (item, row) => {
        rows.delete(item);
        row.element.remove();
    };
    /** Removes a finished row if other items wait for one. */
    const makeRoom = (item, row) => {
        if (later.length === 0 || hasFocus(row))
            return;
        if (item.state === 'failed' && failed++ < mostFailed)
            return;
        if (item.state !== 'completed' && item.state !== 'failed')
            return;
        take(item, row);
        dropped++;
        fill();
    };
    return {
        get hidden() {
            return later.length + dropped;
        },
        add(item) {
            if (rows.size < mostRows)
                show(item);
            else
                later.push(item);
        },
        showState(item) {
            const row = rows.get(item);
            row?.showState();
            if (row)
                makeRoom(item, row);
        },
        showProgress: (item) => rows.get(item)?.showProgress(),
        remove(item) {
            const row = rows.get(item);
            if (!row) {
                const at = later.lastIndexOf(item);
                if (at >= 0)
                    later.splice(at, 1);
                else
                    dropped--;
                return true;
            }
            const isFocused = hasFocus(row);
            const neighbour = row.element.nextElementSibling ?? row.element.previousElementSibling;
            take(item, row);
            fill();
            if (!isFocused)
                return true;
            const next = [...rows.values()].find(({ element }) => element === neighbour);
            next?.focus();
            return next !== undefined;
        },
        refresh() {
            for (const row of rows.values())
                row.showState();
        },
    };
}
