// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { isOn } from './attributes.js';
/** Reads the upload's query from the attributes. What they leave out is for the server, its rules and the token to say. */
export function queryOf(element) {
    const prefix = element.getAttribute('prefix');
    const expire = element.getAttribute('expire');
    const keepsExisting = isOn(element, 'keep-existing') || element.getAttribute('overwrite') === 'false';
    return {
        ...(prefix !== null && { prefix }),
        ...(expire !== null && { expire }),
        ...(isOn(element, 'private') && { private: true }),
        ...(keepsExisting && { overwrite: false }),
    };
}
