import type { Deploy, GitHost } from '../deploy.ts';
import { isCommit, isNoCommit } from '../push.ts';
import { runChild, type ChildOptions } from './child.ts';
import type { HostAddress } from './host-address.ts';

export interface CloneCommit {
  /** An empty folder. */
  readonly folder: string;
  readonly deploy: Pick<Deploy, 'branch' | 'commit' | 'host'> & { readonly repository: string };
  readonly token: string | undefined;
  readonly reach: Extract<HostAddress, { kind: 'any' | 'pinned' | 'proxy' }>;
  /** The runner's environment. Git gets only the variables for programs, proxies and certificates. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: (bytes: Buffer) => void;
  readonly signal: AbortSignal;
}

/** The user name that each host expects with a token as the password. */
const userNames: Readonly<Record<GitHost, string>> = {
  github: 'x-access-token',
  gitlab: 'oauth2',
  gitea: 'oauth2',
  forgejo: 'oauth2',
  'bitbucket-cloud': 'x-token-auth',
  'bitbucket-data-center': 'x-token-auth',
};

/** Bitbucket Cloud expects another user name for personal tokens, which begin with `ATAT`. */
const isBitbucketApiToken = (host: GitHost, token: string) => host === 'bitbucket-cloud' && token.startsWith('ATAT');

/** Returns the encoded form of a token in a request, so that the log can hide it. */
export function credentialText(host: GitHost, token: string): string {
  const userName = isBitbucketApiToken(host, token) ? 'x-bitbucket-api-token-auth' : userNames[host];
  return Buffer.from(`${userName}:${token}`).toString('base64');
}

/**
 * Fetches the commit, and as little else as the host allows, into the folder. No hook or setting of the repository or
 * of the machine's git configuration takes effect. The token appears in no command line and in no file.
 *
 * @returns the commit and its subject, or undefined if it cannot be fetched
 */
export async function cloneCommit({
  folder,
  deploy,
  token,
  reach,
  env,
  output,
  signal,
}: CloneCommit): Promise<{ readonly commit: string; readonly subject: string } | undefined> {
  const options = { cwd: folder, env: gitEnvironment(env, deploy, token, reach), output, signal };
  const git = async (...args: readonly string[]) => (await runChild('git', args, options)).code === 0;
  const commit = isNoCommit(deploy.commit) ? await newestOf(deploy, options) : deploy.commit;
  if (commit === undefined) return undefined;
  const objectFormat = commit.length === 64 ? 'sha256' : 'sha1';
  if (!(await git('init', '--quiet', '--template=', `--object-format=${objectFormat}`))) return undefined;
  const fetch = (...args: readonly string[]) =>
    git('fetch', '--quiet', '--no-tags', '--no-recurse-submodules', ...args);
  // Not every host serves a commit by its hash. The branch then contains it, perhaps further back.
  const isThere =
    (await fetch('--depth=1', '--', deploy.repository, commit)) ||
    ((await fetch('--', deploy.repository, `refs/heads/${deploy.branch}`)) &&
      (await git('cat-file', '-e', `${commit}^{commit}`)));
  if (!isThere || !(await git('checkout', '--quiet', '--detach', commit))) return undefined;
  return { commit, subject: (await outputOf('git', ['log', '-1', '--format=%s', commit], options)).trim() };
}

/** Returns the newest commit of a branch, or undefined if the branch cannot be read. */
async function newestOf(
  { repository, branch }: CloneCommit['deploy'],
  options: Omit<ChildOptions, 'output'>,
): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`;
  const listed = await outputOf('git', ['ls-remote', '--', repository, ref], options);
  const [commit = '', name] = listed.split('\n', 1)[0]!.split('\t');
  return name === ref && isCommit(commit) ? commit : undefined;
}

async function outputOf(
  program: string,
  args: readonly string[],
  options: Omit<ChildOptions, 'output'>,
): Promise<string> {
  const output: Buffer[] = [];
  await runChild(program, args, { ...options, output: (bytes) => void output.push(bytes) });
  return Buffer.concat(output).toString();
}

/** Returns whether this git supports pinned addresses (`http.curloptResolve`), which came with 2.37. */
export async function canPinAddresses(env: CloneCommit['env'], folder: string, signal: AbortSignal): Promise<boolean> {
  const version = await outputOf('git', ['version'], { cwd: folder, env: { PATH: env.PATH }, signal });
  const [, major, minor] = /git version (\d+)\.(\d+)/.exec(version) ?? [];
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
    // Git would send the token on to the redirect target.
    ['http.followRedirects', 'false'],
    // Ends the clone when the host goes silent.
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
    // Otherwise git reads credentials from ~/.netrc of the runner's user.
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
