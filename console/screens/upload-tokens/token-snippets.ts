import type { NewUploadToken } from '#dist/modules/client/index.js';

export const tokenSnippets = ['curl', 'page', 'package'] as const;
export type TokenSnippet = (typeof tokenSnippets)[number];

interface Given {
  readonly apiUrl: string;
  /** Where the server's documentation is; null if it is not built. It also serves the element. */
  readonly docsUrl: string | null;
  readonly token: string;
  readonly options: NewUploadToken;
}

/** Returns an example that works with a token as it is, until its uses are spent. */
export function tokenSnippet(kind: TokenSnippet, given: Given): string {
  return { curl, page, package: program }[kind]({ ...given, apiUrl: given.apiUrl.replace(/\/$/, '') });
}

function curl({ apiUrl, token, options }: Given): string {
  const query = new URLSearchParams(options.name === undefined ? { name: 'photo' } : {});
  if (options.prefix) query.set('prefix', options.prefix);
  const search = query.size > 0 ? `?${query}` : '';
  return `curl -X POST '${apiUrl}/v1/objects${search}' \\
  -H 'Authorization: Bearer ${token}' \\
${originLine(options)}  -F 'file=@photo.${extensionOf(options)}'
`;
}

/** A token for certain pages also admits requests without an origin, but a program shows here what the page sends. */
function originLine({ allowed_origins: origins }: NewUploadToken): string {
  return origins?.[0] === undefined ? '' : `  -H 'Origin: ${origins[0]}' \\\n`;
}

function page({ apiUrl, docsUrl, token, options }: Given): string {
  const source = docsUrl === null ? undefined : `${docsUrl}modules/uploader/element/element.js`;
  const head =
    source === undefined
      ? `<!-- With a bundler: npm install ./cubby-client-VERSION.tgz, \
which "npm run package:client" makes in a clone of Cubby -->
<script type="module">
  import 'cubby-client/element';
</script>`
      : `<script type="module" src="${source}"></script>`;
  const prefix = options.prefix ? ` prefix="${options.prefix}"` : '';
  const many = (options.max_uses ?? 1) > 1 ? ' multiple' : '';
  return `${head}
<cubby-upload id="upload" base-url="${apiUrl}"${prefix}${many}></cubby-upload>
<script type="module">
  document.getElementById('upload').credential = '${token}';
</script>
`;
}

function program({ apiUrl, token, options }: Given): string {
  const query = {
    ...(options.name === undefined && { name: 'photo' }),
    ...(options.prefix && { prefix: options.prefix }),
  };
  const file = `photo.${extensionOf(options)}`;
  return `// npm install ./cubby-client-VERSION.tgz, which "npm run package:client" makes in a clone of Cubby
import { openAsBlob } from 'node:fs';
import { uploadFile } from 'cubby-client/uploader';

const upload = uploadFile(await openAsBlob('${file}'), {
  baseUrl: '${apiUrl}',
  credential: '${token}',
  fileName: '${file}',
  query: ${JSON.stringify(query)},
});
console.log((await upload.done).id);
`;
}

function extensionOf({ allowed_extensions: extensions }: NewUploadToken): string {
  return extensions?.[0] ?? 'jpg';
}
