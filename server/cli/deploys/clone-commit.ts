import type { Deploy, GitHost } from '#server/domain/deploys/deploy.ts';
import { runChild } from './child.ts';
import type { HostAddress } from './host-address.ts';

export interface CloneCommit {
  /** An empty folder. */
  readonly folder: string;
  readonly deploy: Pick<Deploy, 'branch' | 'commit' | 'host'> & { readonly repository: string };
  readonly token: string | undefined;
  readonly reach: Extract<HostAddress, { kind: 'any' | 'pinned' | 'proxy' }>;
  /** Only what git needs of it to find programs and its way through a network is handed on. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: (bytes: Buffer) => void;
  readonly signal: AbortSignal;
}

/** The user name beside which each host takes a token as the password. */
const userNames: Readonly<Record<GitHost, string>> = {
  github: 'x-access-token',
  gitlab: 'oauth2',
  gitea: 'oauth2',
  forgejo: 'oauth2',
  'bitbucket-cloud': 'x-token-auth',
  'bitbucket-data-center': 'x-token-auth',
};

/** Bitbucket Cloud takes the tokens of people, which begin so, beside another name than those of repositories, projects and workspaces. */
const isBitbucketApiToken = (host: GitHost, token: string) => host === 'bitbucket-cloud' && token.startsWith('ATAT');

/** What a token looks like on its way, for the log to hide it. */
export function credentialText(host: GitHost, token: string): string {
  const userName = isBitbucketApiToken(host, token) ? 'x-bitbucket-api-token-auth' : userNames[host];
  return Buffer.from(`${userName}:${token}`).toString('base64');
}

/**
 * Brings the commit, and as little else as its host lets us, into the folder. Nothing of the repository and nothing of the
 * machine's git configuration runs on the way, and the token stands in no command line and in no file.
 *
 * @returns the first line of the commit's message; undefined when the commit cannot be had
 */
export async function cloneCommit({
  folder,
  deploy,
  token,
  reach,
  env,
  output,
  signal,
}: CloneCommit): Promise<string | undefined> {
  const options = { cwd: folder, env: gitEnvironment(env, deploy, token, reach), output, signal };
  const git = async (...args: readonly string[]) => (await runChild('git', args, options)).code === 0;
  const objectFormat = deploy.commit.length === 64 ? 'sha256' : 'sha1';
  if (!(await git('init', '--quiet', '--template=', `--object-format=${objectFormat}`))) return undefined;
  const fetch = (...args: readonly string[]) =>
    git('fetch', '--quiet', '--no-tags', '--no-recurse-submodules', ...args);
  // Not every host gives out a commit by its name; then the branch holds it, perhaps deeper down.
  const isThere =
    (await fetch('--depth=1', '--', deploy.repository, deploy.commit)) ||
    ((await fetch('--', deploy.repository, `refs/heads/${deploy.branch}`)) &&
      (await git('cat-file', '-e', `${deploy.commit}^{commit}`)));
  if (!isThere || !(await git('checkout', '--quiet', '--detach', deploy.commit))) return undefined;
  const message: Buffer[] = [];
  await runChild('git', ['log', '-1', '--format=%s', deploy.commit], {
    ...options,
    output: (bytes) => void message.push(bytes),
  });
  return Buffer.concat(message).toString('utf8').trim();
}

/** Whether this git connects to the addresses that it is given for a host, as git does since 2.37. */
export async function canPinAddresses(env: CloneCommit['env'], folder: string, signal: AbortSignal): Promise<boolean> {
  const said: Buffer[] = [];
  await runChild('git', ['version'], {
    cwd: folder,
    env: { PATH: env.PATH },
    output: (bytes) => void said.push(bytes),
    signal,
  });
  const [, major, minor] = /git version (\d+)\.(\d+)/.exec(Buffer.concat(said).toString()) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 37);
}

const handedOn = [
  'PATH',
  'TMPDIR',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
];

function gitEnvironment(
  env: CloneCommit['env'],
  { host, repository }: CloneCommit['deploy'],
  token: string | undefined,
  reach: CloneCommit['reach'],
): Record<string, string | undefined> {
  const { origin, protocol } = new URL(repository);
  const settings: Array<readonly [name: string, value: string]> = [
    ['core.hooksPath', '/dev/null'],
    ['core.fsmonitor', 'false'],
    ['credential.helper', ''],
    ['protocol.allow', 'never'],
    [`protocol.${protocol.slice(0, -1)}.allow`, 'always'],
    // Git would send the token on to wherever its host redirects to.
    ['http.followRedirects', 'false'],
    // A host that has gone silent ends the clone.
    ['http.lowSpeedLimit', '1000'],
    ['http.lowSpeedTime', '60'],
    ...(reach.kind === 'pinned' ? [['http.curloptResolve', reach.resolve] as const] : []),
    ...(token === undefined
      ? []
      : [[`http.${origin}/.extraHeader`, `Authorization: Basic ${credentialText(host, token)}`] as const]),
  ];
  const known = reach.kind === 'proxy' ? handedOn.filter((name) => name.toLowerCase() !== 'no_proxy') : handedOn;
  return {
    ...Object.fromEntries(known.map((name) => [name, env[name]])),
    LC_ALL: 'C.UTF-8',
    // Without one, ~/.netrc of the runner's user is read, which names credentials.
    HOME: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, name],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}
