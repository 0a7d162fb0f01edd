// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** What the attributes say of where files go. An attribute alone is true, `="false"` is not. */
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
