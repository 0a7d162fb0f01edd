// Made from uploader/ by `npm run generate`. Never edit it by hand.
export const attributes = {
    'base-url': 'text',
    'token-url': 'text',
    prefix: 'text',
    private: 'flag',
    'keep-existing': 'flag',
    expire: 'text',
    'resume-scope': 'text',
    folders: 'text',
    accept: 'text',
    multiple: 'flag',
    directory: 'flag',
    'hidden-files': 'flag',
    capture: 'text',
    disabled: 'flag',
    manual: 'flag',
    'max-size': 'text',
    'min-size': 'text',
    'max-total-size': 'text',
    'max-files': 'text',
    paste: 'text',
    drop: 'text',
    pictures: 'text',
    'confirm-leave': 'flag',
    name: 'own',
    required: 'flag',
    form: 'own',
    lang: 'own',
};
/** Returns whether a flag is on. */
export function isOn(element, name) {
    return !['false', null].includes(element.getAttribute(name));
}
/** Returns the property of an attribute: `maxSize` of `max-size`. */
export function propertyOf(attribute) {
    return attribute.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}
/** Sets an attribute, or removes it for `null` and `undefined`. */
export function setText(element, name, value) {
    if (value === null || value === undefined)
        element.removeAttribute(name);
    else
        element.setAttribute(name, value);
}
/**
 * Defines a property for each attribute. Frameworks set a property instead of the attribute where an element has one of
 * that name, and every element has a read-only `prefix`.
 */
export function reflectAttributes(prototype) {
    for (const [name, kind] of Object.entries(attributes)) {
        if (kind === 'own')
            continue;
        const accessors = kind === 'flag'
            ? {
                get() {
                    return isOn(this, name);
                },
                set(value) {
                    this.toggleAttribute(name, ![false, 'false', null, undefined].includes(value));
                },
            }
            : {
                get() {
                    return this.getAttribute(name);
                },
                set(value) {
                    setText(this, name, value);
                },
            };
        Object.defineProperty(prototype, propertyOf(name), { ...accessors, configurable: true, enumerable: true });
    }
}
/**
 * Sets properties again that the page set before the class was defined. Until then they are plain values, and hide the
 * accessors of the class.
 */
export function adoptEarly(element, properties) {
    for (const name of properties) {
        const early = Object.getOwnPropertyDescriptor(element, name);
        if (!early)
            continue;
        Reflect.deleteProperty(element, name);
        Reflect.set(element, name, early.value);
    }
}
