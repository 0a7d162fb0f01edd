import { useState } from 'preact/hooks';

import type { DeployHook } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { Choice } from '../../ui/field.tsx';

/** The names of git hosts, which are the same in all languages. */
export const gitHosts: Readonly<Record<DeployHook['host'], string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
  forgejo: 'Forgejo',
  'bitbucket-cloud': 'Bitbucket Cloud',
  'bitbucket-data-center': 'Bitbucket Data Center',
};

/** The choice of a git host, in the field `host` of a form. */
export function GitHostField({
  value,
  hosts = Object.keys(gitHosts) as Array<DeployHook['host']>,
}: {
  readonly value: DeployHook['host'];
  readonly hosts?: ReadonlyArray<DeployHook['host']>;
}) {
  const [chosen, setChosen] = useState(value);
  return (
    <Choice
      label={messages().deploys.gitHost}
      name="host"
      value={chosen}
      options={hosts.map((host) => [host, gitHosts[host]] as const)}
      onChoose={setChosen}
    />
  );
}
