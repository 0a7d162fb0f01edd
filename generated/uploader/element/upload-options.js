// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { objectPlace } from '../object-name.js';
import { queryOf } from './query-of.js';
import { tokenFrom } from './token-url.js';
/** Two files with three parts each make six, the server's limit for an account. */
const partsOfFile = 3;
/** Builds the upload options of one file from attributes and properties. */
export function uploadOptionsOf(element, { file, path }, isFlat) {
    const query = {
        ...queryOf(element),
        ...(typeof element.query === 'function' ? element.query(file, path) : element.query),
    };
    const { prefix, ...others } = query;
    const said = (name) => element.getAttribute(name);
    return {
        concurrency: partsOfFile,
        ...(said('base-url') !== null && { baseUrl: said('base-url') }),
        ...(said('resume-scope') !== null && { resumeScope: said('resume-scope') }),
        ...element.options,
        credential: element.credential ?? tokenFrom(said('token-url')),
        query: path.includes('/') ? { ...objectPlace(path, prefix, isFlat), ...others } : query,
    };
}
