import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { databaseUrl, shownDatabase, shownPassword, type DatabaseUrl } from '#server/config/database-url.ts';
import { Reader } from '#server/config/values.ts';

function read(url: string, passwordFile?: string): { value: DatabaseUrl | undefined; problems: readonly string[] } {
  const reader = new Reader({
    CUBBY_DATABASE_URL: url,
    ...(passwordFile !== undefined && { CUBBY_DATABASE_PASSWORD_FILE: passwordFile }),
  });
  return { value: databaseUrl(reader), problems: reader.problems };
}

/** Reads an address that is allowed. */
function parsed(url: string, passwordFile?: string): DatabaseUrl {
  const { value, problems } = read(url, passwordFile);
  expect(problems).toEqual([]);
  return value!;
}

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-config-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'file'), text);
  return join(folder, 'file');
}

describe('databaseUrl()', () => {
  it('returns undefined where rows are in SQLite', () => {
    const reader = new Reader({});
    expect([databaseUrl(reader), reader.problems]).toEqual([undefined, []]);
  });

  it('reads the parts of an address', () => {
    expect(
      parsed('postgresql://c%40by:p%3Ass@db1:5433/cub%2Fby?sslmode=require&pool_size=7&application_name=a.b'),
    ).toEqual({
      hosts: [{ host: 'db1', port: 5433 }],
      database: 'cub/by',
      user: 'c@by',
      password: 'p:ss',
      passwordFile: undefined,
      passFile: undefined,
      sslMode: 'require',
      sslRootCert: undefined,
      sessionAttributes: 'any',
      poolSize: 7,
      applicationName: 'a.b',
    });
  });

  it('reads several hosts, and prefers the one that takes writes', () => {
    const { hosts, sessionAttributes } = parsed('postgres://u@db1:1,[fd00::1]:2,db3,10.0.0.1/d?sslmode=verify-full');
    expect(hosts).toEqual([
      { host: 'db1', port: 1 },
      { host: 'fd00::1', port: 2 },
      { host: 'db3', port: 5432 },
      { host: '10.0.0.1', port: 5432 },
    ]);
    expect(sessionAttributes).toBe('read-write');
    expect(parsed('postgres://u@127.0.0.1:1,127.0.0.1:2/d?target_session_attrs=any').sessionAttributes).toBe('any');
    expect(parsed('postgres://u@localhost/d?target_session_attrs=primary').sessionAttributes).toBe('read-write');
  });

  it('reads the folder of a socket', () => {
    expect(parsed('postgres://u@%2Frun%2Fpostgresql/d').hosts).toEqual([{ host: '/run/postgresql', port: 5432 }]);
  });

  it('takes an unencoded @ as part of the password', () => {
    expect(parsed('postgres://u:p@ss@localhost/d')).toMatchObject({ password: 'p@ss', hosts: [{ host: 'localhost' }] });
  });

  it('needs no encryption on this machine, and a statement about it elsewhere', () => {
    expect(parsed('postgres://u@localhost/d').sslMode).toBe('disable');
    expect(read('postgres://u@db1/d').problems).toEqual([
      'CUBBY_DATABASE_URL names another machine, so it must say "sslmode": verify-full, or disable if nobody ' +
        'else can read that network.',
    ]);
    expect(parsed('postgres://u@db1/d?sslmode=disable').sslMode).toBe('disable');
  });

  it('reads the password from a file, which is named in the variable or in the address', async () => {
    const file = await fileWith('secret\n');
    const url = parsed('postgres://u@localhost/d', file);
    expect(url).toMatchObject({ password: undefined, passwordFile: file });
    expect(shownPassword(url)).toBe(file);
    expect(parsed(`postgres://u@localhost/d?passfile=${file}`)).toMatchObject({ passFile: file });
    expect(read('postgres://u:p@localhost/d', file).problems).toEqual([
      'CUBBY_DATABASE_PASSWORD_FILE is set, but CUBBY_DATABASE_URL has a password too. Keep one of them.',
    ]);
    expect(read(`postgres://u:p@localhost/d?passfile=${file}`).problems).toHaveLength(1);
    expect(read('postgres://u@localhost/d', await fileWith(' \n')).problems).toEqual([
      'CUBBY_DATABASE_PASSWORD_FILE names an empty file.',
    ]);
    const alone = new Reader({ CUBBY_DATABASE_PASSWORD_FILE: file });
    databaseUrl(alone);
    expect(alone.problems).toEqual([
      'CUBBY_DATABASE_PASSWORD_FILE is set, but needs CUBBY_DATABASE_URL: the database it is for.',
    ]);
  });

  it.each([
    ['mysql://u@localhost/d', 'must begin with postgres://'],
    ['localhost', 'must begin with postgres://'],
    ['postgres://localhost/d', 'names no user'],
    ['postgres://:p@localhost/d', 'names no user'],
    ['postgres://u@localhost', 'names no database'],
    ['postgres://u@/d', 'names no host'],
    ['postgres://u@localhost,,localhost/d', 'names no host, or an empty one'],
    ['postgres://u@localhost:0/d', 'names port 0'],
    ['postgres://u@localhost:65536/d', 'names port 65536'],
    ['postgres://u@[localhost]/d', 'a host that is not understood'],
    ['postgres://u@[1:2]/d', 'not an IPv6 address'],
    ['postgres://u@local host/d', 'characters that no host name has'],
    ['postgres://u@localhost/d#x', 'is not an address like'],
    ['postgres://u:a%zz@localhost/d', 'has "%" in its password'],
    ['postgres://u@localhost/d?options=-c', '"options", which is not understood. Allowed are application_name,'],
    ['postgres://u@localhost/d?ssl', 'not "name=value"'],
    ['postgres://u@localhost/d?sslmode=prefer', 'falls back to plain text'],
    ['postgres://u@localhost/d?sslmode=yes', 'must be disable, require, verify-ca or verify-full'],
    ['postgres://u@localhost/d?sslmode=require&sslmode=require', '"sslmode" twice'],
    ['postgres://u@localhost/d?sslrootcert=system&sslmode=require&sslrootcert=a', '"sslrootcert" twice'],
    ['postgres://u@localhost/d?sslrootcert=/none', 'which needs "sslmode=verify-full"'],
    ['postgres://u@localhost/d?sslmode=verify-ca&sslrootcert=/none', 'that can be read'],
    ['postgres://u@localhost/d?passfile=here', 'the absolute path'],
    ['postgres://u@localhost/d?pool_size=3', 'from 4 to 1000'],
    ['postgres://u@localhost/d?application_name=a%20b', 'must be a name'],
    ['postgres://u@localhost/d?target_session_attrs=standby', 'must be any, read-write or primary'],
  ])('refuses %s in words', (url, words) => {
    const { value, problems } = read(url);
    expect(value).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`CUBBY_DATABASE_URL ${words.startsWith('"') ? 'has the parameter ' : ''}`.trimEnd());
    expect(problems[0]).toContain(words);
  });

  it('never shows the password', async () => {
    const secret = 's3cretS3cret';
    const file = await fileWith(secret);
    const urls = [
      `postgres://u:${secret}@localhost/d`,
      `postgres://u:${secret}@db1/d`,
      `postgres://${secret}@@db1/`,
      `postgres://u:${secret}#@db1/d?sslmode=disable`,
      `postgres://u:${secret}?@db1/d?sslmode=disable`,
      `postgres://u:${secret}/@db1/d?sslmode=disable`,
      `postgres://u@localhost/d?password=${secret}`,
      `postgres://u@localhost/d?${secret}`,
      secret,
    ];
    for (const url of urls) {
      const { value, problems } = read(url);
      expect(problems.join(), url).not.toContain(secret);
      if (value) expect(shownDatabase(value) + shownPassword(value), url).not.toContain(secret);
    }
    expect(read('postgres://u@localhost/d', secret).problems.join()).not.toContain(secret);
    expect(shownDatabase(parsed('postgres://a%40b@[::1]:5,localhost/d%2Fe', file))).toBe(
      'postgres://a%40b@[::1]:5,localhost:5432/d%2Fe?sslmode=disable',
    );
  });
});
