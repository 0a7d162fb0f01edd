/**
 * `npm run release -- VERSION`: makes a release in `dist/release/`, and commits and tags it. It publishes nothing.
 *
 * - The version goes into package.json, package-lock.json and the chart, and the changelog gets its heading.
 * - Two packages: the server (`cubby-server`) and the client (`cubby-client`).
 * - A CycloneDX list of the server's dependencies, the checksums of all files, and a statement of where they come from.
 * - The packed server is installed as users install it, and tested.
 *
 * `--dry-run` does all of it, then puts the changed files back, and commits nothing.
 */
import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const place = join(root, 'dist/release');

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const run = (program: string, args: readonly string[], options: ExecFileSyncOptions = {}): string =>
  String(
    execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options }),
  );

const version = /^(\d+)\.(\d+)\.(\d+)(-[0-9a-z.-]+)?$/;

/**
 * Whether one version comes after another. A version with a suffix comes before the one without.
 *
 * @see https://semver.org/#spec-item-11
 */
export function isAfter(one: string, other: string): boolean {
  const [a, b] = [version.exec(one)!, version.exec(other)!];
  for (const at of [1, 2, 3]) if (a[at] !== b[at]) return Number(a[at]) > Number(b[at]);
  if (a[4] === undefined || b[4] === undefined) return a[4] === undefined && b[4] !== undefined;
  const [parts, others] = [a[4].slice(1).split('.'), b[4].slice(1).split('.')];
  const at = parts.findIndex((part, index) => part !== others[index]);
  if (at === -1) return false;
  const [part, otherPart] = [parts[at]!, others[at]];
  if (otherPart === undefined) return true;
  const isNumber = (text: string) => /^\d+$/.test(text);
  if (isNumber(part) && isNumber(otherPart)) return Number(part) > Number(otherPart);
  // "Numeric identifiers always have lower precedence than non-numeric identifiers."
  return isNumber(part) === isNumber(otherPart) ? part > otherPart : isNumber(otherPart);
}

/** Returns the changed files with their new texts. @throws if a file has not the form that is changed here */
export function changedFiles(wanted: string, date: string, read: (path: string) => string): Map<string, string> {
  const replaced = (path: string, pattern: RegExp, text: string): [string, string] => {
    const before = read(path);
    if (!pattern.test(before)) throw new Error(`${path} has no ${pattern}, which the release changes.`);
    return [path, before.replace(pattern, text)];
  };
  const lock = JSON.parse(read('package-lock.json'));
  lock.version = wanted;
  lock.packages[''].version = wanted;
  const [chart, text] = replaced('deploy/helm/Chart.yaml', /^version: .*$/m, `version: ${wanted}`);
  return new Map([
    replaced('package.json', /"version": "[^"]+"/, `"version": "${wanted}"`),
    ['package-lock.json', `${JSON.stringify(lock, null, 2)}\n`],
    [chart, text.replace(/^appVersion: .*$/m, `appVersion: ${wanted}`)],
    replaced('CHANGELOG.md', /^## Unreleased$/m, `## Unreleased\n\n## ${wanted} (${date})`),
  ]);
}

/** Packs both packages into the folder of the release. */
function pack(): void {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  run('npm', ['pack', '--silent', '--pack-destination', place]);
  run(process.execPath, ['openapi/build/client-package.ts', place]);
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/**
 * Describes how the files were made, in the form that verifiers of supply chains read. It is not signed: who publishes
 * the files signs them.
 *
 * @see https://slsa.dev/spec/v1.0/provenance
 */
function provenance(wanted: string, files: readonly string[], startedOn: string, folder: string): object {
  const commit = run('git', ['rev-parse', 'HEAD']).trim();
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map((name) => ({ name, digest: { sha256: hashOf(join(folder, name)) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        // The specification wants URIs. These are files of the package and of the repository, as package URLs.
        buildType: 'pkg:npm/cubby-server#docs/installing.md',
        externalParameters: { version: wanted },
        internalParameters: { node: process.version, npm: run('npm', ['--version']).trim() },
        resolvedDependencies: [
          { name: 'repository', digest: { gitCommit: commit }, annotations: { before: 'the commit of the release' } },
          { name: 'package-lock.json', digest: { sha256: hashOf(join(root, 'package-lock.json')) } },
        ],
      },
      runDetails: {
        builder: { id: 'pkg:npm/cubby-server#.ci/release.ts' },
        metadata: { startedOn, finishedOn: new Date().toISOString() },
      },
    },
  };
}

/**
 * Returns the dependencies of a production install, as CycloneDX. npm leaves out those that development dependencies
 * use too (`npm sbom --omit dev`, npm 11), so it reads a copy of the lockfile that has no development dependencies.
 */
function listDependencies(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'cubby-sbom-')), 'cubby-server');
  try {
    mkdirSync(folder);
    const { name, version, license, dependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    );
    const described = { name, version, license, dependencies, optionalDependencies };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(described));
    for (const file of ['package-lock.json', '.npmrc']) copyFileSync(join(root, file), join(folder, file));
    const inside = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline'], inside);
    return run(
      'npm',
      ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'],
      inside,
    );
  } finally {
    rmSync(join(folder, '..'), { recursive: true, force: true });
  }
}

/** Writes the list of dependencies, the checksums and the statement beside the packages. */
export function describe(wanted: string, startedOn: string, folder = place): void {
  writeFileSync(join(folder, `cubby-server-${wanted}.cdx.json`), listDependencies());
  const statement = provenance(wanted, readdirSync(folder).sort(), startedOn, folder);
  writeFileSync(join(folder, `cubby-server-${wanted}.provenance.json`), `${JSON.stringify(statement, null, 2)}\n`);
  const files = readdirSync(folder).sort();
  writeFileSync(join(folder, 'SHA256SUMS'), files.map((file) => `${hashOf(join(folder, file))}  ${file}\n`).join(''));
}

/** Installs the packed server in a new folder, and runs all tests of such an installation. */
function testInstall(): void {
  run('npx', ['vitest', 'run', 'test/docs/packed-install.programs.test.ts', 'test/packages'], {
    env: { ...process.env, CUBBY_TEST_LONG: '1' },
    stdio: 'inherit',
  });
}

function commit(wanted: string, files: Iterable<string>): void {
  run('git', ['add', ...files]);
  run('git', ['commit', '--quiet', '--message', `release: ${wanted}`]);
  run('git', ['tag', '--annotate', `v${wanted}`, '--message', `Cubby ${wanted}`]);
}

function release(wanted: string, isDryRun: boolean): void {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const { version: current } = JSON.parse(read('package.json')) as { version: string };
  if (!version.test(wanted)) throw new Error(`"${wanted}" is no version such as 1.2.3 or 1.2.3-beta.1.`);
  if (!isAfter(wanted, current)) throw new Error(`The version is ${current} already. Name a later one.`);
  if (!isDryRun && run('git', ['status', '--porcelain']) !== '')
    throw new Error('There are uncommitted changes. Commit them first.');
  const startedOn = new Date().toISOString();
  const changes = changedFiles(wanted, startedOn.slice(0, 10), read);
  const before = new Map([...changes.keys()].map((path) => [path, read(path)]));
  let isDone = false;
  try {
    for (const [path, text] of changes) writeFileSync(join(root, path), text);
    say('packing');
    pack();
    describe(wanted, startedOn);
    say('testing a clean installation');
    testInstall();
    if (!isDryRun) commit(wanted, changes.keys());
    isDone = !isDryRun;
  } finally {
    if (!isDone) for (const [path, text] of before) writeFileSync(join(root, path), text);
  }
  say(
    `${isDryRun ? 'A dry run: nothing was committed. ' : ''}dist/release has ${readdirSync(place).sort().join(', ')}.`,
  );
  if (!isDryRun) say('To hand it out: git push --follow-tags, and give these files to people.');
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } });
  try {
    if (positionals.length !== 1) throw new Error('Call it as: npm run release -- VERSION [--dry-run]');
    release(positionals[0]!, values['dry-run'] ?? false);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
