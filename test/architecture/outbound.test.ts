import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import { importsOf, root, sourceFiles } from './imports.ts';

/** Every server file that makes connections or runs programs that do, and who chooses the destination. */
const outbound: Readonly<Record<string, string>> = {
  'server/features/files/backends/cdn-hook.ts': 'the operator, CUBBY_CDN_PURGE_URL',
  'server/features/chat/backends/local-model/local-model.ts': 'nobody: it forks a process for a model file',
  'server/features/chat/backends/open-pool.ts':
    'the operator, CUBBY_AI_UPSTREAM_URL, CUBBY_AI_MODELS_FILE and CUBBY_AI_EMBEDDINGS_URL',
  'server/features/chat/backends/post-once.ts': 'its callers: the upstream of the AI gateway',
  'server/features/images/backends/render-process.ts': 'nobody: it forks a process for a variant of an image',
  'server/backends/open-response.ts': 'its callers: the upstream of the AI gateway',
  'server/features/chat/backends/searxng.ts': 'the operator, CUBBY_SEARCH_URL',
  'server/backends/send-request.ts': 'its callers: the upstream of the AI gateway and the web search',
  'server/backends/webhooks/checked-post.ts':
    'an account: public hosts, and others only with CUBBY_WEBHOOK_ALLOW_PRIVATE',
  'server/features/deploys/commands/child.ts': 'its callers: git and the command of a deploy',
  'server/features/deploys/commands/host-address.ts':
    'a push: a public host, or one that the operator names with --from',
  'server/features/webhooks/commands/listen.ts': 'the person at the command line: --server and --forward',
  'server/cli/run-shell.ts': 'the operator: it runs the commands of --dump and --then',
  'server/compose/backup-process/backup-process.ts': 'nobody: it forks a process for a backup',
  'server/stores/bucket/transport.ts': 'the operator, CUBBY_BLOBS_URL',
  'server/stores/postgres/session.ts': 'the operator, CUBBY_DATABASE_URL',
  'server/workers/supervise.ts': 'nobody: it forks this program',
};

/** Modules that can reach other programs. `node:net` also has functions that only parse addresses. */
const ways = [
  'node:http',
  'node:https',
  'node:http2',
  'node:net',
  'node:tls',
  'node:dgram',
  'node:dns',
  'node:dns/promises',
  'node:child_process',
  'node:cluster',
  'npm:pg',
  'npm:undici',
];

/** Imports from these modules that make no connection. */
const harmless = new RegExp(
  '^(isIP(v[46])?|BlockList|createServer|STATUS_CODES|Server|ServerResponse|IncomingMessage|IncomingHttpHeaders|' +
    'OutgoingHttpHeaders|RequestListener|AddressInfo|Socket|errors|DatabaseError)$',
);

function reachesOut(file: string): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  if (
    /(?<![.\w])(fetch|WebSocket|EventSource)\(/.test(text.replace(/\/\/.*|\/\*[^]*?\*\//g, '')) &&
    !/const fetch = /.test(text)
  )
    return true;
  return (
    importsOf(file).some((target) => ways.includes(target)) && importedNames(text).some((name) => !harmless.test(name))
  );
}

function importedNames(text: string): string[] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest);
  return source.statements.filter(ts.isImportDeclaration).flatMap((statement) => {
    const from = (statement.moduleSpecifier as ts.StringLiteral).text;
    if (!ways.includes(from) && !ways.includes(`npm:${from}`)) return [];
    const named = statement.importClause?.namedBindings;
    return named && ts.isNamedImports(named)
      ? named.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
      : ['everything'];
  });
}

describe('connections to others', () => {
  it('are made only by these files, so that each new one documents who chooses its destination', () => {
    const found = sourceFiles().filter((file) => file.startsWith('server/') && reachesOut(file));
    expect(found).toEqual(Object.keys(outbound).toSorted());
  });
});
