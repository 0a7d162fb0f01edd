import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { policies, type OperationId } from '#generated/policies.ts';
import { importsOf, root } from '#test/architecture/imports.ts';

/*
 * A button whose operation needs a scope that the screen does not need may be shown only to a session with that scope.
 * So on the way from the screen to the operation, through the imports, one file must ask for the scope.
 */

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** The file and the scopes of each screen of an account. A session needs one of them. */
const screens = [
  ...textOf('console/app/screens.ts').matchAll(/scopes: \[([^\]]*)\],\s+load: \(\) => import\('\.\.\/([^']+)'\)/g),
].map(([, scopes, file]) => ({ file: `console/${file}`, scopes: scopesIn(scopes!) }));

function scopesIn(text: string): string[] {
  return [...text.matchAll(/'([^']+)'/g)].map(([, scope]) => scope!);
}

/** The operations that a file imports from the generated client. */
function operationsOf(text: string): OperationId[] {
  return [...text.matchAll(/import \{([^}]*)\} from '#dist\/modules\/client\/[^']*'/g)]
    .flatMap(([, names]) => names!.split(','))
    .map((name) => name.trim())
    .filter((name): name is OperationId => name in policies);
}

/** What a file asks about the session: lists of which one scope is enough, or all are needed. */
function guardsOf(text: string) {
  return [...text.matchAll(/\bhas(All)?Scopes?\(([^)]*)\)/g)].map(([, all, scopes]) => ({
    isAll: all !== undefined,
    scopes: scopesIn(scopes!),
  }));
}

interface Asked {
  readonly isAll: boolean;
  readonly scopes: readonly string[];
}

/** Whether a session that passes the question may call the operation. */
function isEnough({ isAll, scopes }: Asked, operation: OperationId): boolean {
  const { needsAllScopes = false, scopes: needed = [] } = policies[operation] as {
    readonly needsAllScopes?: boolean;
    readonly scopes?: readonly string[];
  };
  if (needed.length === 0 || scopes.includes('*')) return true;
  if (needsAllScopes) return isAll && needed.every((scope) => scopes.includes(scope));
  return isAll ? scopes.some((scope) => needed.includes(scope)) : scopes.every((scope) => needed.includes(scope));
}

/** Returns `file: operation` for each operation that is reached without a question that is enough. */
function reachedUnasked(file: string, asked: readonly Asked[], seen: readonly string[] = []): string[] {
  if (seen.includes(file) || !/\.tsx?$/.test(file)) return [];
  const text = textOf(file);
  const questions = [...asked, ...guardsOf(text)];
  const own = operationsOf(text)
    .filter((operation) => !questions.some((question) => isEnough(question, operation)))
    .map((operation) => `${file}: ${operation}`);
  const inside = importsOf(file, text).filter((path) => path.startsWith('console/screens/'));
  return [...own, ...inside.flatMap((path) => reachedUnasked(path, questions, [...seen, file]))];
}

describe('a button of the console', () => {
  it('is compared on every screen of an account', () => {
    const files = screens.filter(({ scopes }) => scopes.length > 0).map(({ file }) => file);
    expect(files).toContain('console/screens/webhooks/webhooks.tsx');
    expect(files.length).toBeGreaterThan(10);
    expect(operationsOf(textOf('console/screens/webhooks/webhook-form.tsx'))).toContain('createWebhook');
    expect(isEnough({ isAll: false, scopes: ['blob:write'] }, 'createWebhook')).toBe(false);
    expect(isEnough({ isAll: true, scopes: ['blob:read', 'blob:write'] }, 'createWebhook')).toBe(true);
    expect(isEnough({ isAll: false, scopes: ['blob:read'] }, 'deleteObjects')).toBe(false);
  });

  it.each(screens.filter(({ scopes }) => scopes.length > 0))(
    'is offered only to a session that may call its operation: $file',
    ({ file, scopes }) => {
      expect([...new Set(reachedUnasked(file, [{ isAll: false, scopes }]))]).toEqual([]);
    },
  );
});
