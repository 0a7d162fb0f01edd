// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** The name that browsers give a copied image without a file. */
const nameless = /^image\.(png|jpe?g|gif|webp|bmp|tiff?)$/i;
/** Returns whether the paste goes to a text field. */
export function isForAnother(event) {
    const [target] = event.composedPath();
    return (target instanceof HTMLElement &&
        (target.isContentEditable ||
            target.matches('input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select')));
}
/**
 * Adds the time to the names of pasted images. Browsers name all of them `image.png`, so they would replace each other.
 */
export function withNames(brought, now) {
    let count = 0;
    const files = brought.files.map((found) => {
        const { file } = found;
        if (!nameless.test(file.name))
            return found;
        const time = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
            .toISOString()
            .slice(0, 19)
            .replace('T', '-')
            .replaceAll(':', '');
        const name = `pasted-${time}${count++ === 0 ? '' : `-${count}`}${file.name.slice(file.name.lastIndexOf('.'))}`;
        return { file: new File([file], name, { type: file.type, lastModified: file.lastModified }), path: name };
    });
    return { ...brought, files };
}
