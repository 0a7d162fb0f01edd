/** The built site, which also has each page as Markdown. Documents of the repository link to these. */
const folder = 'dist/docs';

/** Returns the path of the page that a file of the built site holds, or undefined for other files. */
export function builtPage(file: string): string | undefined {
  return file.startsWith(`${folder}/`) && file.endsWith('.md')
    ? file.slice(folder.length + 1, -'.md'.length)
    : undefined;
}

/** Documents whose pages are not named as their path below `docs/`, and the paths of the pages. */
export const namedDocuments: Readonly<Record<string, string>> = {
  'docs/README.md': 'index',
  'SECURITY.md': 'security',
  'mocks/README.md': 'mocks',
  'openapi/README.md': 'contract',
  'CHANGELOG.md': 'changelog',
};

/** Files of the repository that the site serves as they are, and their addresses there. */
export const servedFiles: Readonly<Record<string, string>> = {
  'generated/openapi.json': '/docs/openapi.json',
  'dist/docs/openapi.yaml': '/docs/openapi.yaml',
  'uploader/demo/upload-demo.html': '/docs/upload-demo',
};
