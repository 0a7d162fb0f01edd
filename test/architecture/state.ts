import ts from 'typescript';

const collections = ['Map', 'Set', 'WeakMap', 'WeakSet'];
const iterators = ['map', 'flatMap', 'filter', 'forEach', 'reduce', 'some', 'every', 'find'];
const mutators = ['set', 'add', 'delete', 'clear', 'push', 'pop', 'shift', 'unshift', 'splice'];
const steps = [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken];
const assignments = [
  ts.SyntaxKind.EqualsToken,
  ts.SyntaxKind.PlusEqualsToken,
  ts.SyntaxKind.MinusEqualsToken,
  ts.SyntaxKind.QuestionQuestionEqualsToken,
];

/**
 * Returns the names of what a module may keep between two calls: variables of the module, properties of classes, and
 * variables of functions that return functions. Each of them is written after it is made. An `LRUCache` is a cache and
 * is left out.
 */
export function stateOf(text: string): string[] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isClassDeclaration(node)) for (const name of propertiesOf(node)) found.add(name);
    if (ts.isFunctionLike(node) && 'body' in node && node.body && returnsFunctions(node.body))
      for (const name of writtenInside(node.body)) found.add(name);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  const written = writtenIn(source);
  for (const name of declaredIn(source)) if (written.has(name)) found.add(name);
  return [...found];
}

function isNew(expression: ts.Expression | undefined, names: readonly string[]): boolean {
  return (
    expression !== undefined &&
    ts.isNewExpression(expression) &&
    ts.isIdentifier(expression.expression) &&
    names.includes(expression.expression.text)
  );
}

function propertiesOf(declaration: ts.ClassDeclaration): string[] {
  return declaration.members.filter(ts.isPropertyDeclaration).flatMap((property) => {
    const isReadonly = property.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword) ?? false;
    return !isReadonly || isNew(property.initializer, collections) ? [(property.name as ts.Identifier).text] : [];
  });
}

/** Returns the variables of a module or function, without those of functions in it. */
function declaredIn(scope: ts.Node): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && !isNew(node.initializer, ['LRUCache']))
      found.push(node.name.text);
    if (!ts.isFunctionLike(node) && !ts.isClassLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(scope, visit);
  return found;
}

/** Returns the variables that a node assigns, or whose collection it changes. */
function writtenIn(scope: ts.Node): Set<string> {
  const found = new Set<string>();
  const note = (node: ts.Node): void => void (ts.isIdentifier(node) && found.add(node.text));
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && assignments.includes(node.operatorToken.kind)) note(node.left);
    if ((ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && steps.includes(node.operator))
      note(node.operand);
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      mutators.includes(node.expression.name.text)
    )
      note(node.expression.expression);
    ts.forEachChild(node, visit);
  };
  visit(scope);
  return found;
}

/** Whether a function returns functions, alone or as properties of an object. */
function returnsFunctions(body: ts.Node): boolean {
  if (!ts.isBlock(body)) return isOfFunctions(body);
  let does = false;
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression && isOfFunctions(node.expression)) does = true;
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return does;
}

function isOfFunctions(expression: ts.Node): boolean {
  if (ts.isParenthesizedExpression(expression)) return isOfFunctions(expression.expression);
  if (ts.isArrowFunction(expression) || ts.isFunctionExpression(expression)) return true;
  return (
    ts.isObjectLiteralExpression(expression) &&
    expression.properties.some(
      (property) =>
        ts.isMethodDeclaration(property) ||
        ts.isGetAccessor(property) ||
        (ts.isPropertyAssignment(property) && isOfFunctions(property.initializer)),
    )
  );
}

/**
 * Returns the variables of a function that its inner functions write later. A callback of `map()` and the like runs at
 * once and does not count.
 */
function writtenInside(body: ts.Node): string[] {
  const inner: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) inner.push(node);
    else if (!isIteration(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  const written = inner.map(writtenIn);
  return declaredIn(body).filter((name) => written.some((names) => names.has(name)));
}

function isIteration(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    iterators.includes(node.expression.name.text)
  );
}
