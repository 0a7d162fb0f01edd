// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { leastBytes, mostBytes } from '../file-size.js';
import { isAccepted } from './accepted.js';
import { parseSize } from './parse-size.js';
/** What the attributes say, within what the server takes. */
export function limitsOf(element) {
    const read = (name, parse, without) => {
        const text = element.getAttribute(name);
        if (text === null)
            return without;
        const value = parse(text);
        if (value === undefined)
            console.error(`<cubby-upload>: ${name}="${text}" is not read. Write a number, for a size with or without a unit: "10MB".`);
        return value ?? without;
    };
    const count = (text) => (/^\s*[1-9]\d*\s*$/.test(text) ? Number(text) : undefined);
    return {
        accept: element.getAttribute('accept') ?? '',
        minBytes: Math.max(leastBytes, read('min-size', parseSize, 0)),
        maxBytes: Math.min(mostBytes, read('max-size', parseSize, mostBytes)),
        maxTotalBytes: read('max-total-size', parseSize, Infinity),
        maxFiles: element.hasAttribute('multiple') ? read('max-files', count, Infinity) : 1,
    };
}
/** Why this file is not taken beside so many others; undefined when it is. */
export function refusalOf(file, limits, others) {
    if (!isAccepted(file, limits.accept))
        return 'type';
    if (file.size < limits.minBytes)
        return 'small';
    if (file.size > limits.maxBytes)
        return 'large';
    if (others.files >= limits.maxFiles)
        return 'count';
    return others.bytes + file.size > limits.maxTotalBytes ? 'total' : undefined;
}
