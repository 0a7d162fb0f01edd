import type { Brought } from './found-files.ts';

/** What browsers call a picture that was copied and has no file. */
const nameless = /^image\.(png|jpe?g|gif|webp|bmp|tiff?)$/i;

/** Whether a paste is meant for whatever the reader types into. */
export function isForAnother(event: ClipboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select'))
  );
}

/** Pictures from the clipboard get the time in their names: all of them are called `image.png`, and would replace each other. */
export function withNames(brought: Brought, now: Date): Brought {
  let count = 0;
  const files = brought.files.map((found) => {
    const { file } = found;
    if (!nameless.test(file.name)) return found;
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
