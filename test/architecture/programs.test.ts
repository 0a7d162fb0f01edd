import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { expect, it } from 'vitest';

import { programNames } from '#test/support/programs.ts';
import { importsOf, root, sourceFiles } from './imports.ts';

/** What every machine has that can run `npm test`: Node, npm, git, sh, core utilities, and programs of our packages. */
const always = ['node', 'npm', 'npx', 'git', 'sh', 'tsc', 'vitest'];
const coreUtilities = ['cat', 'chmod', 'chroot', 'cp', 'ln', 'ls', 'mkfifo', 'sync', 'test'];

/** Functions of this project that start the program that their first argument names. */
const ours = new Map([['test/support/command.ts', ['run']]]);
const starters = ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync'];
const declarations = ['noProgram', 'needPrograms'];

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  node.forEachChild((child) => visit(child, see));
}

const sourceOf = (file: string, text: string) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** Returns the names in a file that start the program of their first argument. */
function startersIn(file: string, source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  visit(source, (node) => {
    if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return;
    const [from] = importsOf(file, node.getText());
    const known = from === 'node:child_process' ? starters : (ours.get(from!) ?? []);
    const named = node.importClause?.namedBindings;
    if (named && ts.isNamedImports(named))
      for (const { name, propertyName } of named.elements)
        if (known.includes((propertyName ?? name).text)) names.add(name.text);
  });
  // Two rounds: a function here may call one that is declared below it.
  for (let round = 0; round < 2; round++)
    visit(source, (node) => {
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
        if (isPromisified(node.initializer, names)) names.add(node.name.text);
        if (ts.isArrowFunction(node.initializer) && passesOn(node.initializer, names)) names.add(node.name.text);
      }
      if (ts.isFunctionDeclaration(node) && node.name && passesOn(node, names)) names.add(node.name.text);
    });
  return names;
}

function isPromisified(node: ts.Node, names: ReadonlySet<string>): boolean {
  return ts.isCallExpression(node) && node.expression.getText() === 'promisify' && isNamed(node.arguments[0], names);
}

function isNamed(node: ts.Node | undefined, names: ReadonlySet<string>): boolean {
  return node !== undefined && ts.isIdentifier(node) && names.has(node.text);
}

/** Whether a function starts the program that its first parameter names, and does not say itself that it needs it. */
function passesOn({ parameters, body }: ts.FunctionLikeDeclaration, names: ReadonlySet<string>): boolean {
  const first = parameters[0]?.name.getText();
  let [starts, declares] = [false, false];
  if (body)
    visit(body, (node) => {
      if (!ts.isCallExpression(node) || node.arguments[0]?.getText() !== first) return;
      starts ||= isStart(node, names);
      declares ||= declarations.includes(node.expression.getText());
    });
  return starts && !declares;
}

function isStart({ expression }: ts.CallExpression, names: ReadonlySet<string>): boolean {
  return isNamed(expression, names) || isPromisified(expression, names);
}

/** Returns the programs that a file starts by a name, and those that its shell scripts name. */
function programsOf(file: string, text: string): Set<string> {
  const source = sourceOf(file, text);
  const names = startersIn(file, source);
  const found = new Set<string>();
  visit(source, (node) => {
    if (!ts.isCallExpression(node) || !isStart(node, names)) return;
    const [first, args] = node.arguments;
    if (!first || !ts.isStringLiteralLike(first)) return;
    found.add(first.text);
    if (['sh', 'bash'].includes(first.text) && args)
      visit(args, (part) => {
        if (ts.isStringLiteralLike(part) || ts.isTemplateExpression(part))
          for (const word of part.getText().match(/(?<![\w./-])[\w.-]+(?![\w./])/g) ?? [])
            if (programNames.includes(word as never)) found.add(word);
      });
  });
  return found;
}

/** Returns the programs that a file says it needs. */
function declaredIn(file: string, text: string): string[] {
  const found: string[] = [];
  visit(sourceOf(file, text), (node) => {
    if (ts.isCallExpression(node) && declarations.includes(node.expression.getText()))
      for (const argument of node.arguments) if (ts.isStringLiteralLike(argument)) found.push(argument.text);
  });
  return found;
}

/** Returns what a file starts although neither it nor a file that it imports says that it needs it. */
function undeclaredIn(file: string, text: string): string[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const imported = importsOf(file, text).filter((path) => path.startsWith('test/') && existsSync(join(root, path)));
  const declared = [declaredIn(file, text), ...imported.map((path) => declaredIn(path, read(path)))].flat();
  return [...programsOf(file, text)].filter((name) => ![...always, ...coreUtilities, ...declared].includes(name));
}

it('every test that starts a program says which one it needs, so that it is skipped where that is missing', () => {
  const found = sourceFiles()
    .filter((file) => file.startsWith('test/'))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
    .filter(({ text }) => /child_process|support\/command\.ts/.test(text))
    .flatMap(({ file, text }) => undeclaredIn(file, text).map((name) => `${file}: ${name}`));
  expect(found, 'Call noProgram() or needPrograms() of test/support/ with these names.').toEqual([]);
});

it('finds programs that are started directly, by a function of the file, by a shared one, and in shell scripts', () => {
  const text = `
    import { execFile as begin, spawn } from 'node:child_process';
    import { run } from '#test/support/command.ts';
    const execute = promisify(begin);
    const via = (program: string) => execute(program, []);
    spawn('one'); begin('two', []); execute('three', []); promisify(begin)('four'); via('five'); run('six', [], '.');
    spawn('sh', ['-c', \`cat | curl -s \${address}\`]);
    other('seven');`;
  expect(undeclaredIn('test/a.test.ts', text)).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'curl']);
  expect(undeclaredIn('test/a.test.ts', `${text}; noProgram('one', 'curl'); needPrograms('two');`)).toEqual([
    'three',
    'four',
    'five',
    'six',
  ]);
});
