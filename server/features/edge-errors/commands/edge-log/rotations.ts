/**
 * Returns the files that rotation made of the log `name`. For `shop.json` these are names such as `shop.json.1`,
 * `shop.json-20260421.gz` and Caddy's `shop-2026-04-21T09-30-00.000.json.gz`. Other logs, such as `shop-admin.json`,
 * are not included.
 */
export function rotationsOf(name: string, names: readonly string[]): string[] {
  const extensionAt = name.lastIndexOf('.');
  const [stem, extension] = extensionAt > 0 ? [name.slice(0, extensionAt), name.slice(extensionAt)] : [name, ''];
  const isMark = (text: string) => /^[.-][0-9][0-9A-Za-z:.-]*$/.test(text);
  return names
    .filter((one) => {
      if (one === name) return false;
      const bare = one.replace(/\.gz$/, '');
      if (bare === name) return true;
      if (bare.startsWith(name) && isMark(bare.slice(name.length))) return true;
      return (
        bare.startsWith(stem) &&
        bare.endsWith(extension) &&
        isMark(bare.slice(stem.length, bare.length - extension.length))
      );
    })
    .sort();
}
