// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { sha256 } from './sha256.js';
export function partSumsOf(file) {
    const known = new Map();
    return async ({ startBytes, endBytes }) => {
        const place = `${startBytes}-${endBytes}`;
        if (!known.has(place))
            known.set(place, await sha256(file.slice(startBytes, endBytes)));
        return known.get(place);
    };
}
