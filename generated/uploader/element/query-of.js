// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Reads the upload's query from the attributes. An attribute without a value is true, and `="false"` is false. */
export function queryOf(element) {
    const prefix = element.getAttribute('prefix');
    const expire = element.getAttribute('expire');
    const isTrue = (name) => element.getAttribute(name) !== 'false';
    return {
        ...(prefix !== null && { prefix }),
        ...(expire !== null && { expire }),
        ...(element.hasAttribute('private') && { private: isTrue('private') }),
        ...(element.hasAttribute('overwrite') && { overwrite: isTrue('overwrite') }),
    };
}
