import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { promisify } from 'node:util';

import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';

import { freePort } from '#test/support/free-port.ts';
import { durable, startCluster } from '#test/support/postgres/cluster.ts';
import { findPostgres, giveTo, noDumps, serverUser } from '#test/support/postgres/programs.ts';
import { because, findProgram, noProgram, type ProgramName } from '#test/support/programs.ts';
import { startGateway, type Gateway } from '../gateway.ts';

/*
 * Programs that keep backups and the log of a PostgreSQL server in the bucket `private`: the log is archived while the
 * server runs, and the last rows come back from it.
 */

const run = promisify(execFile);

/** A folder of the server's user, and how to run a program as that user. */
interface Place {
  readonly folder: string;
  /** Runs a shell script. Rejects with its output if it fails. */
  run(script: string): Promise<string>;
  /** Writes a file that the server's user can run or read. */
  write(name: string, text: string): Promise<string>;
}

async function newPlace(env: Readonly<Record<string, string>>): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-pg-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const user = serverUser();
  giveTo(user, folder);
  const all = { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', ...env };
  return {
    folder,
    async run(script) {
      const options = { ...user, cwd: folder, env: all, timeout: 150_000, maxBuffer: 16_777_216 };
      const args = ['-eu', '-c', script];
      const { stdout } = await run('sh', args, options).catch((error: { stdout: string; stderr: string }) => {
        throw new Error(`${script}\n${error.stdout}${error.stderr}`);
      });
      return stdout;
    },
    async write(name, text) {
      const path = join(folder, name);
      await mkdir(join(path, '..'), { recursive: true });
      await writeFile(path, text);
      await chmod(path, 0o755);
      giveTo(user, path);
      return path;
    },
  };
}

/** Opens a port with TLS before the gateway, because pgBackRest speaks nothing else. The certificate is its own. */
async function tlsBefore({ url }: Gateway, folder: string): Promise<number> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '2', '-keyout', key, '-out', cert];
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject]);
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const server = createServer({ key: await readFile(key), cert: await readFile(cert) }, (outer) => {
    const inner = connect(Number(port), hostname);
    for (const socket of [outer, inner]) {
      open.add(socket);
      socket.on('error', () => [outer, inner].forEach((one) => one.destroy()));
      socket.on('close', () => open.delete(socket));
    }
    outer.pipe(inner).pipe(outer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

async function query(url: string, sql: string): Promise<any[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Starts a server over a restored folder, which then reads the archived log. Returns the rows of the table. */
async function rowsOf(place: Place, data: string, url: string): Promise<number> {
  const programs = findPostgres();
  if (typeof programs === 'string') throw new Error(programs);
  const port = await freePort();
  const args = [
    '-D',
    data,
    '-c',
    `port=${port}`,
    '-c',
    `unix_socket_directories=${place.folder}`,
    '-c',
    'archive_mode=off',
    '-c',
    'hot_standby=off',
  ];
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  const server = spawn(join(programs.bin, 'postgres'), args, { ...serverUser(), cwd: '/', env, stdio: 'ignore' });
  const gone = once(server, 'exit');
  try {
    const restored = new URL(url);
    restored.port = String(port);
    const count = async () => {
      const [row] = await query(restored.href, 'SELECT count(*)::int AS rows FROM kept');
      return row.rows as number;
    };
    await expect.poll(() => count().catch(() => undefined), { timeout: 60_000 }).toBeDefined();
    return (await count())!;
  } finally {
    server.kill('SIGQUIT');
    await gone;
  }
}

/** Starts a server that archives its log by a command. Its folder, socket and password are for the programs. */
async function archivingServer(command: string) {
  const cluster = await startCluster({
    ...durable,
    listen_addresses: '127.0.0.1',
    archive_mode: 'on',
    archive_command: command,
    max_wal_size: '1GB',
  });
  onTestFinished(() => cluster.stop());
  const url = cluster.url();
  const setting = async (name: string) => Object.values((await query(url, `SHOW ${name}`))[0])[0] as string;
  return {
    url,
    port: cluster.port,
    password: new URL(url).password,
    data: await setting('data_directory'),
    sockets: await setting('unix_socket_directories'),
    add: (rows: number) =>
      query(
        url,
        'CREATE TABLE IF NOT EXISTS kept (text text); INSERT INTO kept SELECT repeat(md5(n::text), 20) FROM ' +
          `generate_series(1, ${rows}) n`,
      ),
    /** Ends the current piece of the log, and waits until it is archived. */
    async archived() {
      const [{ name }] = await query(url, 'SELECT pg_walfile_name(pg_switch_wal()) AS name');
      const last = async () => (await query(url, 'SELECT last_archived_wal AS name FROM pg_stat_archiver'))[0].name;
      await expect.poll(async () => ((await last()) ?? '') >= name, { timeout: 60_000 }).toBe(true);
    },
  };
}

function describeProgram(program: ProgramName, noOther: string | undefined, tests: () => void): void {
  const missing = noProgram(program) ?? noOther ?? noDumps();
  describe.skipIf(missing)(`${program}${because(missing)}`, tests);
}

describeProgram('pgbackrest', noProgram('openssl'), () => {
  it(
    'archives the log, backs up in full and incrementally, checks, restores, and expires',
    { timeout: 600_000 },
    async () => {
      const gateway = await startGateway();
      const place = await newPlace({});
      const config = join(place.folder, 'pgbackrest.conf');
      const command = `${findProgram('pgbackrest')} --config=${config} --stanza=main`;
      const server = await archivingServer(`${command} archive-push %p`);
      await place.write(
        'pgbackrest.conf',
        `[global]
repo1-type=s3
repo1-path=/pgbackrest
repo1-s3-bucket=private
repo1-s3-endpoint=localhost
repo1-s3-region=auto
repo1-s3-uri-style=path
repo1-s3-key=${gateway.accessKeyId}
repo1-s3-key-secret=${gateway.secretAccessKey}
repo1-storage-host=127.0.0.1
repo1-storage-port=${await tlsBefore(gateway, place.folder)}
repo1-storage-verify-tls=n
repo1-retention-full=1
repo1-bundle=y
start-fast=y
process-max=2
archive-timeout=60
log-path=${place.folder}
lock-path=${place.folder}
spool-path=${place.folder}
log-level-console=warn
log-level-file=off
[main]
pg1-path=${server.data}
pg1-port=${server.port}
pg1-user=cubby
pg1-socket-path=${server.sockets}
`,
      );
      const pgbackrest = (args: string) => place.run(`PGPASSWORD=${server.password} ${command} ${args}`);
      await pgbackrest('stanza-create');
      await pgbackrest('check');
      await server.add(20_000);
      await pgbackrest('backup --type=full');
      await server.add(5);
      await pgbackrest('backup --type=incr');
      await server.add(7);
      await server.archived();
      const [{ backup, status }] = JSON.parse(await pgbackrest('info --output=json'));
      expect([status.code, backup.map(({ type }: { type: string }) => type)]).toEqual([0, ['full', 'incr']]);
      await pgbackrest('verify');
      await pgbackrest(`restore --pg1-path=${join(place.folder, 'restored')}`);
      expect(await rowsOf(place, join(place.folder, 'restored'), server.url)).toBe(20_012);
      // Another full backup is one too many, so the first one and those that need it are removed.
      await pgbackrest('backup --type=full');
      const [after] = JSON.parse(await pgbackrest('info --output=json'));
      expect(after.backup).toHaveLength(1);
      await place.run(`${command} stop; ${command} stanza-delete --force`);
      const { objects } = (
        await gateway.server.send('/v1/objects?prefix=pgbackrest', { credential: gateway.account.credential })
      ).json().response;
      expect(objects).toEqual([]);
    },
  );
});

describeProgram('barman-cloud-backup', undefined, () => {
  it('archives the log, backs up, lists, restores, and deletes', { timeout: 600_000 }, async () => {
    const gateway = await startGateway();
    const place = await newPlace({
      AWS_ACCESS_KEY_ID: gateway.accessKeyId,
      AWS_SECRET_ACCESS_KEY: gateway.secretAccessKey,
      AWS_DEFAULT_REGION: 'auto',
      AWS_EC2_METADATA_DISABLED: 'true',
    });
    const where = `--endpoint-url ${gateway.url}`;
    const source = 's3://private/barman main';
    const keys =
      `AWS_ACCESS_KEY_ID=${gateway.accessKeyId} AWS_SECRET_ACCESS_KEY=${gateway.secretAccessKey} ` +
      'AWS_DEFAULT_REGION=auto';
    const server = await archivingServer(
      `${keys} ${findProgram('barman-cloud-wal-archive')} ${where} --gzip ${source} %p`,
    );
    await place.run(`barman-cloud-check-wal-archive ${where} ${source}`);
    const login = `-h ${server.sockets} -p ${server.port} -U cubby`;
    const backup = (name: string) =>
      place.run(
        `PGPASSWORD=${server.password} barman-cloud-backup ${where} ${login} --immediate-checkpoint --name ` +
          `${name} ${source}`,
      );
    await server.add(20_000);
    await backup('one');
    await server.add(5);
    await server.archived();
    const list = async () => JSON.parse(await place.run(`barman-cloud-backup-list --format json ${where} ${source}`));
    expect((await list()).backups_list).toHaveLength(1);
    const restored = join(place.folder, 'restored');
    await place.run(`barman-cloud-restore ${where} ${source} one ${restored}`);
    const fetch = `${keys} barman-cloud-wal-restore ${where} ${source} %f %p`;
    await place.run(
      `touch ${restored}/recovery.signal; echo "restore_command = '${fetch}'" >> ${restored}/postgresql.auto.conf`,
    );
    expect(await rowsOf(place, restored, server.url)).toBe(20_005);
    await backup('two');
    await place.run(`barman-cloud-backup-delete ${where} --retention-policy 'REDUNDANCY 1' ${source}`);
    expect((await list()).backups_list.map(({ backup_name: name }: { backup_name: string }) => name)).toEqual(['two']);
  });
});
