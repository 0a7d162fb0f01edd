import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { freePort } from '#test/support/free-port.ts';
import { guardOf } from '#test/support/guard.ts';
import { noProgram } from '#test/support/programs.ts';

const execute = promisify(execFile);

/** Ceph with its S3 gateway, in a temporary folder. */
export interface Radosgw {
  /** The address of the S3 gateway. */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Its processes, the gateway first. */
  readonly pids: readonly [number, ...number[]];
  /** Stops the process that stores the bytes, as if it hung: the gateway accepts requests and answers none. */
  hang(): void;
  /** Ends `hang()`. */
  resume(): void;
  /** Kills the process that stores the bytes, and starts it again. It loses nothing. */
  killStore(): Promise<void>;
  /** May be called twice. */
  stop(): Promise<void>;
}

/** Why tests with Ceph cannot run here. `undefined` if they can. */
export function noRadosgw(): string | undefined {
  return noProgram('ceph', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'monmaptool', 'ceph-authtool');
}

/** Starts a monitor, one store and the gateway. It takes some 15 seconds. */
export async function startRadosgw(): Promise<Radosgw> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-ceph-'));
  const guard = guardOf(folder);
  try {
    return await startIn(folder, guard);
  } catch (error) {
    await guard.release();
    throw error;
  }
}

async function startIn(folder: string, guard: ReturnType<typeof guardOf>): Promise<Radosgw> {
  const monitor = `127.0.0.1:${await freePort()}`;
  const fsid = randomUUID();
  const config = join(folder, 'ceph.conf');
  writeFileSync(config, configOf(folder, fsid, monitor));
  for (const name of ['mon', 'osd']) mkdirSync(join(folder, name));
  const tool = async (name: string, ...args: readonly string[]): Promise<string> =>
    (await execute(name, ['-c', config, ...args], { cwd: folder, timeout: 60_000 })).stdout;
  const daemon = (name: string, ...args: readonly string[]): ChildProcess => {
    const log = openSync(join(folder, `${name}.out`), 'a');
    const child = spawn(name, ['-c', config, '-f', ...args], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    guard.add(child.pid!, 'KILL');
    child.unref();
    return child;
  };

  await makeMonitor(folder, fsid, monitor);
  await tool('ceph-mon', '--mkfs', '-i', 'a', '--monmap', join(folder, 'monmap'), '--keyring', join(folder, 'keyring'));
  const mon = daemon('ceph-mon', '-i', 'a');

  const osdKey = (await execute('ceph-authtool', ['--gen-print-key'])).stdout.trim();
  const osdId = randomUUID();
  const secrets = join(folder, 'osd-secrets.json');
  writeFileSync(secrets, JSON.stringify({ cephx_secret: osdKey }));
  await tool('ceph', 'osd', 'new', osdId, '-i', secrets);
  writeFileSync(join(folder, 'osd/keyring'), `[osd.0]\n\tkey = ${osdKey}\n`);
  const osdKeyring = ['--keyring', join(folder, 'osd/keyring')];
  await tool('ceph-osd', '-i', '0', ...osdKeyring, '--mkfs', '--osd-uuid', osdId);
  const startOsd = () => daemon('ceph-osd', '-i', '0', ...osdKeyring);
  let osd = startOsd();

  const gatewayKey = await tool(
    'ceph',
    'auth',
    'get-or-create',
    'client.rgw.a',
    'mon',
    'allow rwx',
    'osd',
    'allow rwx',
  );
  writeFileSync(join(folder, 'rgw-keyring'), gatewayKey);
  const port = await freePort();
  // Without "tcp_nodelay" each response waits 40 ms for the client's acknowledgement.
  const frontend = `beast endpoint=127.0.0.1:${port} tcp_nodelay=1`;
  const gateway = daemon(
    'radosgw',
    '-n',
    'client.rgw.a',
    '--keyring',
    join(folder, 'rgw-keyring'),
    `--rgw_frontends=${frontend}`,
  );
  const endpoint = `http://127.0.0.1:${port}`;
  await answering(endpoint, join(folder, 'radosgw.out'));

  const [accessKey, secretKey] = [`AK${randomBytes(9).toString('hex')}`, randomBytes(20).toString('hex')];
  const keys = ['--access-key', accessKey, '--secret-key', secretKey];
  await tool(
    'radosgw-admin',
    'user',
    'create',
    '--uid',
    'cubby',
    '--display-name',
    'cubby',
    '--max-buckets',
    '100000',
    ...keys,
  );
  return {
    endpoint,
    accessKey,
    secretKey,
    pids: [gateway.pid!, mon.pid!, osd.pid!],
    hang: () => void process.kill(osd.pid!, 'SIGSTOP'),
    resume: () => void process.kill(osd.pid!, 'SIGCONT'),
    async killStore() {
      const gone = once(osd, 'exit');
      process.kill(osd.pid!, 'SIGKILL');
      await gone;
      osd = startOsd();
    },
    stop: () => guard.release(),
  };
}

/** One copy of everything, few placement groups, and all files in the folder. */
function configOf(folder: string, fsid: string, monitor: string): string {
  return `[global]
fsid = ${fsid}
mon_host = v1:${monitor}
mon_initial_members = a
keyring = ${folder}/keyring
run_dir = ${folder}
admin_socket = ${folder}/$name.$pid.asok
log_file = ${folder}/$name.log
mon_data = ${folder}/mon
osd_data = ${folder}/osd
crash_dir = ${folder}
ms_bind_ipv4 = true
ms_bind_msgr2 = false
public_addr = 127.0.0.1
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
mon_allow_pool_size_one = true
mon_data_avail_crit = 1
mon_max_pg_per_osd = 2000
osd_crush_chooseleaf_type = 0
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_objectstore = bluestore
bluestore_block_size = 4294967296
bluestore_cache_size = 67108864
osd_memory_target = 939524096
rgw_dynamic_resharding = false
`;
}

async function makeMonitor(folder: string, fsid: string, monitor: string): Promise<void> {
  const keyring = join(folder, 'keyring');
  const all = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *', '--cap', 'mgr', 'allow *'];
  await execute('ceph-authtool', ['--create-keyring', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *']);
  await execute('ceph-authtool', [keyring, '--gen-key', '-n', 'client.admin', ...all]);
  const monmap = join(folder, 'monmap');
  await execute('monmaptool', ['--create', '--addv', 'a', `[v1:${monitor}]`, '--fsid', fsid, monmap]);
}

async function answering(endpoint: string, log: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    const isUp = await fetch(endpoint).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await sleep(100);
  }
  throw new Error(`radosgw did not start:\n${readFileSync(log, 'utf8').slice(-2000)}`);
}
