// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { leastBytes, mostBytes } from '../file-size.js';
import { isAccepted } from './accepted.js';
import { isOn } from './attributes.js';
import { parseSize } from './parse-size.js';
/** Reads the limits from the attributes, within the server's limits. */
export function limitsOf(element) {
    const read = (name, parse, without) => {
        const text = element.getAttribute(name);
        if (text === null)
            return without;
        const value = parse(text);
        if (value === undefined)
            console.error(`<cubby-upload>: ${name}="${text}" is ignored. Write a number; a size may have a unit: "10MB".`);
        return value ?? without;
    };
    const count = (text) => (/^\s*[1-9]\d*\s*$/.test(text) ? Number(text) : undefined);
    return {
        accept: element.getAttribute('accept') ?? '',
        minBytes: Math.max(leastBytes, read('min-size', parseSize, 0)),
        maxBytes: Math.min(mostBytes, read('max-size', parseSize, mostBytes)),
        maxTotalBytes: read('max-total-size', parseSize, Infinity),
        maxFiles: isOn(element, 'multiple') ? read('max-files', count, Infinity) : 1,
    };
}
/** Returns why a file is rejected, given the files already listed. Undefined when it is accepted. */
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
