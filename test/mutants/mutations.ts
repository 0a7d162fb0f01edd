import ts from 'typescript';

/** One change of the code that a test must notice. */
export interface Mutant {
  /** Where it is, and what it makes of it. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly from: string;
  readonly to: string;
}

const operators = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['&&', '||'],
  ['||', '&&'],
  ['-', '+'],
  ['*', '/'],
]);
const methods = new Map([
  ['every', 'some'],
  ['some', 'every'],
  ['min', 'max'],
  ['max', 'min'],
]);

/** Calls whose only effect is to refuse. */
const refusing = /^(?:require|refuse|check|assert|expect|forbid|authorize)/;
const asksWhether = /^(?:is|has|can|may|allows|includes|some|every|test|startsWith|endsWith|timingSafeEqual)(?![a-z])/;

/** A part of the code in which `switched` chooses between it and its mutants. */
interface Piece {
  readonly original: string;
  readonly switched: string;
}

/**
 * Returns the mutants of a file, and its code with all of them in it. Each is asleep until `isActive`, an expression of
 * the code, is called with its id and returns true. So one loaded file serves for all.
 */
export function mutantsOf(file: string, text: string, isActive: string): { mutants: Mutant[]; code: string } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];

  function mutant(node: ts.Node, from: string, to: string): string {
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart());
    const shown = [from, to].map((code) => code.replaceAll(/\s+/g, ' ').slice(0, 70)) as [string, string];
    const id = `${file}:${line + 1}:${character + 1} ${shown.join(' → ')}`;
    if (mutants.some((known) => known.id === id)) throw new Error(`Two mutants are ${id}.`);
    mutants.push({ id, file, line: line + 1, from: shown[0], to: shown[1] });
    return `${isActive}(${JSON.stringify(id)})`;
  }

  /** The code of a node in which its children are replaced by what they become. */
  function rendered(node: ts.Node, isInFunction: boolean): string {
    let code = '';
    let at = node.getStart();
    node.forEachChild((child) => {
      // A list of modifiers or a comment before it stays.
      code += text.slice(at, child.getStart()) + visit(child, isInFunction || ts.isFunctionLike(node));
      at = child.getEnd();
    });
    return code + text.slice(at, node.getEnd());
  }

  function visit(node: ts.Node, isInFunction: boolean): string {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      return node.getText();
    const piece: Piece = { original: node.getText(), switched: rendered(node, isInFunction) };
    return isInFunction ? mutated(node, piece) : piece.switched;
  }

  function mutated(node: ts.Node, { original, switched }: Piece): string {
    const instead = (to: string, code = switched) => `(${mutant(node, original, to)} ? ${to} : ${code})`;
    if (ts.isIfStatement(node) && isRefusal(node.thenStatement) && !node.elseStatement)
      return `if (!${mutant(node, original, 'nothing')}) ${switched}`;
    if (ts.isExpressionStatement(node) && isRefusingCall(node.expression))
      return `if (!${mutant(node, original, 'nothing')}) ${switched}`;
    if (isReturned(node) && saysWhether(node)) {
      let code = withOperator(node, { original, switched });
      for (const to of ['true', 'false']) if (to !== original) code = instead(to, code);
      return code;
    }
    return withOperator(node, { original, switched });
  }

  function withOperator(node: ts.Node, { original, switched }: Piece): string {
    const other = changed(node);
    return other === undefined ? switched : `(${mutant(node, original, other)} ? ${other} : ${switched})`;
  }

  return { code: visit(source, false), mutants };
}

/** Returns the code of an expression with another operator. */
function changed(node: ts.Node): string | undefined {
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return `Boolean(${node.operand.getText()})`;
  if (ts.isConditionalExpression(node)) return node.whenFalse.getText();
  if (ts.isBinaryExpression(node)) {
    const operator = operators.get(node.operatorToken.getText());
    return operator && `(${node.left.getText()}) ${operator} (${node.right.getText()})`;
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression, name } = node.expression;
  const method = methods.get(name.text);
  const args = node.arguments.map((argument) => argument.getText()).join(', ');
  return method && `${expression.getText()}${node.expression.questionDotToken ? '?.' : '.'}${method}(${args})`;
}

function isRefusal(statement: ts.Statement): boolean {
  const only = ts.isBlock(statement) ? statement.statements[0] : statement;
  return only !== undefined && (ts.isThrowStatement(only) || ts.isReturnStatement(only));
}

function isRefusingCall(expression: ts.Expression): boolean {
  const call = ts.isAwaitExpression(expression) ? expression.expression : expression;
  return ts.isCallExpression(call) && refusing.test(nameOf(call));
}

function nameOf({ expression }: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

function isReturned(node: ts.Node): boolean {
  return ts.isReturnStatement(node.parent) || (ts.isArrowFunction(node.parent) && node.parent.body === node);
}

/** Whether an expression is of a boolean, as far as one sees. */
function saysWhether(node: ts.Node): boolean {
  if (ts.isParenthesizedExpression(node)) return saysWhether(node.expression);
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) return true;
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken;
  if (ts.isCallExpression(node)) return asksWhether.test(nameOf(node));
  if (!ts.isBinaryExpression(node)) return false;
  const operator = node.operatorToken.getText();
  if (operator === '&&' || operator === '||') return saysWhether(node.left) && saysWhether(node.right);
  return /^(?:[=!]==|[<>]=?|in|instanceof)$/.test(operator);
}
