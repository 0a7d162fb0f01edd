import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { Ajv } from 'ajv';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { checkConfig } from '#server/config/config.ts';
import { needPrograms } from '#test/support/need-programs.ts';
import { because, noProgram } from '#test/support/programs.ts';
import { composeSchema, type ComposeFile } from './compose-schema.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'cubby-deploy-'));
afterAll(() => rmSync(folder, { recursive: true }));

const noNginx = noProgram('nginx');

const composeOf = (name: string) => parse(read(`deploy/${name}`), { merge: true }) as ComposeFile;
const compose = composeOf('compose.scale.yaml');
const values = (name: string) => parse(read(`deploy/helm/${name}`)) as Record<string, any>;

/** Returns the problems of an environment whose files with secrets exist here. */
function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  const isFile = (name: string) => name.endsWith('_FILE');
  const local = Object.entries(env).map(([name, value]) => {
    const place = isFile(name) ? join(folder, `${name}-${basename(value)}`) : value;
    if (isFile(name)) writeFileSync(place, 'a'.repeat(64));
    // Certificates of the example are not here.
    return [name, place.replace(/sslrootcert=[^&]+/, `sslrootcert=${join(root, 'LICENSE')}`)];
  });
  return checkConfig(Object.fromEntries(local)).problems;
}

describe('a compose file of deploy/', () => {
  it.each(['compose.yaml', 'compose.tls.yaml', 'compose.scale.yaml'])(
    '%s has the form, and names only what it defines',
    (name) => {
      const compose = composeOf(name);
      const isValid = new Ajv({ allErrors: true, strict: false }).compile(composeSchema);
      expect(isValid(compose), JSON.stringify(isValid.errors)).toBe(true);
      const { services, volumes, networks, secrets = {}, configs = {} } = compose;
      for (const [name, service] of Object.entries(services)) {
        const named = (service.volumes ?? [])
          .map((volume) => volume.split(':')[0]!)
          .filter((one) => !one.startsWith('.'));
        expect(Object.keys(volumes), name).toEqual(expect.arrayContaining(named));
        expect(Object.keys(networks), name).toEqual(expect.arrayContaining([...service.networks]));
        expect(Object.keys(secrets), name).toEqual(expect.arrayContaining([...(service.secrets ?? [])]));
        const used = (service.configs ?? []).map(({ source }) => source);
        expect(Object.keys(configs), name).toEqual(expect.arrayContaining(used));
        const before = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {});
        expect(Object.keys(services), name).toEqual(expect.arrayContaining(before));
        const files = Object.entries(service.environment ?? {}).filter(([variable]) => variable.endsWith('_FILE'));
        for (const [, path] of files) expect(service.secrets, path).toContain(path.replace('/run/secrets/', ''));
      }
    },
  );

  it.each(['compose.yaml', 'compose.tls.yaml', 'compose.scale.yaml'])(
    "%s opens the operator's port to its own network, and to nobody else",
    (name) => {
      const { services } = composeOf(name);
      const servers = Object.entries(services).filter(([service]) => service.startsWith('cubby'));
      expect(servers.length).toBeGreaterThan(0);
      for (const [, { environment = {} }] of servers) expect(environment.CUBBY_OPERATOR_HOST).toBe('0.0.0.0');
      const published = Object.values(services).flatMap(({ ports = [] }) => ports.map(String));
      expect(published.filter((port) => port.includes('7404'))).toEqual([]);
    },
  );

  it.each(['deploy/nginx.scale.conf', 'deploy/nginx/cubby.conf', 'deploy/caddy/Caddyfile'])(
    '%s leads nowhere near the operator’s port',
    (path) => expect(read(path).replaceAll(/#.*/g, '')).not.toContain('7404'),
  );

  it.each(['compose.yaml', 'compose.tls.yaml'])('%s runs a server that starts, with a read-only root', (name) => {
    const { environment = {}, read_only, cap_drop } = composeOf(name).services.cubby!;
    expect(problemsOf(environment)).toEqual([]);
    expect({ read_only, cap_drop }).toEqual({ read_only: true, cap_drop: ['ALL'] });
  });
});

describe('deploy/compose.scale.yaml', () => {
  it('configures three replicas that a server would start with, and a database with room for their connections', () => {
    const replicas = Object.entries(compose.services).filter(([name]) => /^cubby-\d$/.test(name));
    expect(replicas).toHaveLength(3);
    let connections = 0;
    for (const [, { environment = {} }] of replicas) {
      expect(problemsOf(environment)).toEqual([]);
      const pool = /pool_size=(\d+)/.exec(environment.CUBBY_DATABASE_URL!)![1];
      connections += Number(environment.CUBBY_WORKERS) * Number(pool);
    }
    const command = compose.services['postgres-1']!.command!;
    const allowed = Number(/max_connections=(\d+)/.exec([command].flat().join(' '))![1]);
    expect(connections + 20).toBeLessThanOrEqual(allowed);
  });

  it('names only images of programs that are still released, and shares the folder of larger files', () => {
    const { services } = compose;
    const images = Object.values(services).flatMap(({ image }) => image ?? []);
    expect(new Set(images)).toEqual(new Set(['cubby', 'nginx:1.28', 'postgres:17']));
    for (const name of ['cubby-1', 'cubby-2', 'cubby-3'])
      expect(services[name]!.volumes).toEqual([`${name}:/data`, 'files:/data/blobs']);
    expect(read('deploy/Dockerfile')).toContain('/data/blobs');
  });

  it('has scripts that bash can read', () => {
    needPrograms('bash');
    for (const { content } of Object.values(compose.configs ?? {})) {
      const path = join(folder, 'script.sh');
      writeFileSync(path, content.replaceAll('$$', '$'));
      expect(() => execFileSync('bash', ['-n', path], { stdio: 'pipe' })).not.toThrow();
    }
  });

  it.skipIf(noNginx)(`has a proxy configuration that nginx accepts${because(noNginx)}`, () => {
    const path = join(folder, 'nginx.conf');
    // The names exist only in the network of the compose file.
    const text = read('deploy/nginx.scale.conf').replaceAll(/cubby-\d/g, '127.0.0.1');
    const logs = `pid ${join(folder, 'pid')};\nerror_log ${join(folder, 'error.log')};\n`;
    writeFileSync(path, logs + text.replace('http {', `http {\n  access_log off;\n`));
    expect(() => execFileSync('nginx', ['-t', '-c', path], { stdio: 'pipe' })).not.toThrow();
    // A replica without its database answers 503. SlowDown is 503 too, and no fault of a replica.
    expect(text).toMatch(/^ {2}proxy_next_upstream error timeout http_503;$/m);
    expect(text).toMatch(/proxy_pass http:\/\/s3;[^}]*proxy_next_upstream error timeout;/);
    expect(text.match(/max_fails=2 fail_timeout=5s/g)).toHaveLength(12);
    for (const port of ['7400', '7401', '7402', '7403']) expect(text).toContain(`listen ${port};`);
  });
});

describe('deploy/helm', () => {
  it('has values for every name that the templates use, and no others', () => {
    const templates = globSync('deploy/helm/templates/*', { cwd: root }).map(read).join('\n');
    const used = [...templates.matchAll(/\.Values\.(\w+)/g)].map(([, name]) => name!);
    expect(new Set(used)).toEqual(new Set(Object.keys(values('values.yaml'))));
    expect(Object.keys(values('values.yaml'))).toEqual(
      expect.arrayContaining(Object.keys(values('values.scale.yaml'))),
    );
    expect(values('Chart.yaml')).toMatchObject({ apiVersion: 'v2', name: 'cubby' });
  });

  it('configures replicas that a server would start with', () => {
    const { env, secrets } = values('values.scale.yaml');
    expect(problemsOf(env)).toEqual([]);
    const mounted: string[] = Object.values(secrets);
    for (const path of Object.entries<string>(env).flatMap(([name, value]) => (name.endsWith('_FILE') ? [value] : [])))
      expect(
        mounted.some((place) => path.startsWith(`${place}/`)),
        path,
      ).toBe(true);
  });
});

/** The variables of programs that Cubby or a document starts: the command of a deploy, and a script of a tutorial. */
const ofPrograms = ['APP_ID', 'BRANCH', 'COMMIT', 'DEPLOY_ID', 'MESSAGE', 'REPOSITORY', 'URL'].map(
  (name) => `CUBBY_${name}`,
);

describe('variables', () => {
  it('that the documents and the files of deploy/ name are known to the server', () => {
    const files = globSync(['docs/**/*.md', 'deploy/**/*', 'README.md', 'SECURITY.md'], {
      cwd: root,
      withFileTypes: true,
    })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name));
    expect(files.length).toBeGreaterThan(15);
    const named = files.flatMap((file) => readFileSync(file, 'utf8').match(/\bCUBBY_[A-Z0-9_]*[A-Z0-9]\b/g) ?? []);
    const unknown = [...new Set(named)]
      .filter((name) => !ofPrograms.includes(name))
      .filter((name) =>
        checkConfig({ [name]: 'x' }).problems.some((problem) => problem.includes('is not a variable of Cubby')),
      );
    expect(unknown).toEqual([]);
  });
});
