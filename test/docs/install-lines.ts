import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Where people read how to install something: documents, comments of deployment files, and texts of the programs. */
const places = [
  '*.md',
  'docs/**/*.md',
  'dist/docs/{reference,errors}/*.md',
  '{mocks,openapi,examples,uploader,deploy}/**/README.md',
  'deploy/{Dockerfile,compose*.yaml,systemd/*,helm/**/*.*}',
  'console/**/*.{ts,tsx}',
  'server/**/*.ts',
  'openapi/{build,codegen}/**/*.ts',
  'mocks/**/*.ts',
  '.ci/*.ts',
];

/** A command that a text tells its reader to run. */
export interface InstallLine {
  readonly file: string;
  readonly line: number;
  readonly command: string;
}

/** Changes and decisions tell of the past. */
const history = ['CHANGELOG.md', 'DECISIONS.md'];

/** Returns all lines that install or fetch a package, or run one by npx. */
export function installLines(read = (file: string) => readFileSync(join(root, file), 'utf8')): InstallLine[] {
  const files = globSync(places, { cwd: root }).filter(
    (file) => !history.includes(file) && !file.includes('node_modules'),
  );
  return files.toSorted().flatMap((file) => linesIn(file, read(file)));
}

const starts =
  /(?<![\w/.'-])(?:npm (?:install|i|add|exec|create|init|publish)|npx|pnpm|yarn|bunx?|deno (?:add|install)) /g;

/** Returns those of one text. */
export function linesIn(file: string, text: string): InstallLine[] {
  // A backslash continues a command on the next line.
  const lines = text.replaceAll(/\\\n\s*/g, '  ').split('\n');
  return lines.flatMap((content, at) =>
    [...content.matchAll(starts)].map(({ index }) => ({ file, line: at + 1, command: commandAt(content, index) })),
  );
}

/**
 * A command ends with its quotes, at a comment, at the next command, and in prose at a comma or at the end of a
 * sentence.
 */
function commandAt(line: string, from: number): string {
  const quote = /[`"']/.exec(line[from - 1] ?? '')?.[0];
  const rest = line.slice(from);
  const end = rest.search(
    quote === undefined ? /\s+#|\s*&&|\s*[;&|`"')<]|, |[.:]?$|\$[({]/ : new RegExp(`${quote}|\\$[({]`),
  );
  return (end === -1 ? rest : rest.slice(0, end)).trim().replaceAll(/\s+/g, ' ');
}
