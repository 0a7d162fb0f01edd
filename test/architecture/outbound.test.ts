import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import { importsOf, root, sourceFiles } from './imports.ts';
import type { Listed } from './listed.ts';

/** Every server file that makes connections or runs programs that do, and who chooses the destination. */
const outbound: Listed['outbound'] = Object.assign(
  {
    'server/backends/open-response.ts': 'its callers: the upstream of the AI gateway',
    'server/backends/send-request.ts': 'its callers: the upstream of the AI gateway and the web search',
    'server/backends/outbound/checked-post.ts':
      'an account: public hosts, and others only with CUBBY_WEBHOOK_ALLOW_PRIVATE',
    'server/backends/task-process.ts': 'nobody: it forks a process for one file',
    'server/cli/run-shell.ts': 'the operator: it runs the commands of --dump and --then',
    'server/compose/backup-process/backup-process.ts': 'nobody: it forks a process for a backup',
    'server/stores/bucket/transport.ts': 'the operator, CUBBY_BLOBS_URL',
    'server/stores/postgres/session.ts': 'the operator, CUBBY_DATABASE_URL',
    'server/workers/supervise.ts': 'nobody: it forks this program',
  },
  ...(await partsOfFeatures('architecture')).map(({ outbound: own = {} }) => own),
);

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
