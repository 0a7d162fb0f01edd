import { operationsOf, type Json, type Operation } from '../codegen/document.ts';
import { defaultAddress } from './client-hosts.ts';
import type { Guide } from './guide-pages.ts';
import { sampleRequest } from './sample-request.ts';

/** The tag names in the menu. The contract's own names are short, because code uses them. */
const tagNames: Record<string, string> = {
  objects: 'Files',
  chunked: 'Chunked uploads',
  'upload-tokens': 'Upload tokens',
  shares: 'Share links',
  delivery: 'Fetching files',
  account: 'Account',
  s3: 'S3 gateway',
  chat: 'AI gateway',
  apps: 'Apps',
  device: 'Device approval',
  operations: 'Operations',
};

const landing = (guides: readonly Guide[]): string => `
## Where to start

**You build a frontend.** \`npm run mock\` serves every answer of this page on port 7410, each error by name;
\`npm run sandbox\` runs the real server over a temporary folder. Both, and the typed client \`cubby/client\`, are
described [in a guide](mocks.html).

**You read along.** [Upload one file](#/objects/uploadobject), [list](#/objects/listobjects) what is there, and
[fetch](#/delivery/getpublicfile) it from the public host. The two paragraphs *Envelope* and *Order of refusal* below
hold for everything.

**You run the server.** \`npm ci && npm start\` prints a first key. Watch [readiness](#/operations/getreadiness) and the
[counters](#/operations/getmetrics); \`npm run -s cubby -- --help\` names the operator's commands.

**You generate code.** Take the contract itself: [openapi.yaml](openapi.yaml) or [openapi.json](openapi.json), OpenAPI 3.1.

## Guides

${guides.map(({ name, title }) => `- [${title}](${name}.html)\n`).join('')}- [Every error code](errors.html): its meaning, its status, and the operations that answer it
- [Upload demo](upload-demo.html): the uploader at work, on this server

## What holds everywhere

`;

/** Formats `60` as `a minute`, `30` as `30 seconds`. */
function duration(seconds: number): string {
  const units = [
    [86_400, 'a day'],
    [3600, 'an hour'],
    [60, 'a minute'],
  ] as const;
  const [size, one] = units.find(([each]) => seconds % each === 0) ?? [1, 'a second'];
  return seconds === size ? one : `${seconds / size} ${one.split(' ')[1]}s`;
}

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function counted({ limit, counts = 'requests' }: Json): string {
  return `${limit} ${limit === 1 ? counts.replace(/s$/, '') : counts}`;
}

/**
 * Describes the scopes, limits and plans that the server enforces. The contract states them in extensions, which
 * readers would not see.
 */
function enforced(spec: Json): string {
  const scopes: string[] = spec['x-scopes'] ?? [];
  const limits: string[] = (spec['x-rate-limits'] ?? []).map(
    (one: Json) =>
      `${counted(one)} in ${duration(one.windowSeconds)} for each ${one.per}` +
      (one.each ? ` and ${one.each}` : '') +
      (one.on ? ` (on a ${one.on.replaceAll('-', ' ')})` : '') +
      (one.blockSeconds ? `, then blocked for ${duration(one.blockSeconds)}` : '') +
      (one.exempt ? `, except on the plans ${one.exempt.map(capitalized).join(' and ')}` : ''),
  );
  const { 'x-plan': plan, 'x-concurrency': concurrency } = spec;
  const rows = [
    ['Scope', scopes.map((scope) => `\`${scope}\``).join(' or ')],
    ['Limits', limits.join('; ')],
    [
      'At once',
      concurrency &&
        `${concurrency.limit} ${concurrency.name.replaceAll('-', ' ')} of an account, else \`${concurrency.code}\``,
    ],
    ['Plan', plan && `${capitalized(plan.minimum)} or higher, else \`${plan.code}\``],
  ].filter(([, text]) => text);
  return rows.map(([name, text]) => `- **${name}**: ${text}\n`).join('');
}

/** Optional parameters that a useful first request needs. */
const shown: Record<string, readonly string[]> = {
  uploadObject: ['name', 'prefix'],
  startChunkedUpload: ['name', 'filename'],
  listObjects: ['limit'],
};

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function json(value: unknown): string {
  const line = JSON.stringify(value);
  return line.length <= 60 ? line : JSON.stringify(value, null, 2);
}

/** Returns the operation as a command for a shell in which `CUBBY_KEY` is set. */
function curl(document: Json, operation: Operation): string {
  const { method, target, isAuthenticated, headers, body } = sampleRequest(document, operation, shown[operation.id]);
  const lines = [
    `curl ${method === (body ? 'POST' : 'GET') ? '' : `-X ${method} `}${quoted(defaultAddress(operation.spec.servers ?? document.servers) + target)}`,
  ];
  if (isAuthenticated) lines.push('-H "Authorization: Bearer $CUBBY_KEY"');
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body?.type === 'multipart/form-data') lines.push('-F file=@picture.png');
  else if (body?.type === 'application/x-www-form-urlencoded')
    for (const [name, value] of Object.entries(body.value as Json))
      lines.push(`--data-urlencode ${quoted(`${name}=${value}`)}`);
  else if (body) {
    lines.push(`-H ${quoted(`Content-Type: ${body.type}`)}`);
    lines.push(body.value === 'file' ? '--data-binary @part.bin' : `-d ${quoted(json(body.value))}`);
  }
  return lines.join(' \\\n  ');
}

/**
 * Prepares the bundle for the documentation: an introduction, menu names, the enforced limits as text, and a command
 * for each operation.
 */
export function documentForReaders(document: Json, guides: readonly Guide[] = []): Json {
  const copy = structuredClone(document);
  copy.info.description = landing(guides) + copy.info.description;
  const operations = operationsOf(copy);
  for (const operation of operations) {
    const { spec } = operation;
    spec['x-codeSamples'] = [{ lang: 'curl', label: 'curl', source: curl(document, operation) }];
    spec.description = `${spec.description ?? ''}\n\n${enforced(spec)}`;
  }
  copy.tags = copy.tags.filter((tag: Json) => operations.some((operation) => operation.tag === tag.name));
  for (const tag of copy.tags) tag['x-displayName'] = tagNames[tag.name] ?? tag.name;
  return copy;
}
