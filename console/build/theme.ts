/**
 * Makes the tokens of the share pages follow the theme that a person chose in the console, besides that of the system.
 *
 * @param css `server/pages/tokens.css`: one block of `:root`, and one of the dark theme within a media query
 * @throws if the file no longer has this form
 */
export function withChosenTheme(css: string): string {
  const dark = /@media screen and \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/;
  const [, values] = dark.exec(css) ?? [];
  if (values === undefined) throw new Error('server/pages/tokens.css has no block of dark colors in the known form.');
  const chosen = css.replace(
    dark,
    `@media screen and (prefers-color-scheme: dark) { :root:not([data-theme=light]) {${values}} }`,
  );
  return `${chosen}
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; ${values} }
`;
}
