import type { Command } from 'commander';

import { checkConfig, ConfigProblems, type Config } from '#server/config/config.ts';
import { columns } from '../columns.ts';
import type { Answer, Operator } from '../operator.ts';

export function addConfigCheck(config: Command, operator: Operator): void {
  config
    .command('check')
    .description(
      'show what is in force and every problem at once, the master key that does not fit the database among them; exit code 1 when there are any',
    )
    .action(async (_options: object, command: Command) => {
      const { config, problems: wrong, settings } = checkConfig(operator.env);
      // What the folder holds can be looked at only where it is known which one that is.
      const problems = config ? await folderProblems(config) : wrong;
      operator.print(answerOf(settings, problems), command);
      if (problems.length > 0) throw new ConfigProblems(problems);
    });
}

async function folderProblems(config: Config): Promise<string[]> {
  const { problemsOfFolder } = await import('#server/stores/open.ts');
  return problemsOfFolder(config);
}

function answerOf(settings: ReturnType<typeof checkConfig>['settings'], problems: readonly string[]): Answer {
  const rows = settings.map(({ name, value, source }) => [
    name,
    value ?? 'not valid',
    source === 'default' ? '(default)' : '',
  ]);
  const verdict = problems.length === 0 ? '\n\nNo problems.' : '';
  return { json: { ok: problems.length === 0, settings, problems }, text: columns(rows) + verdict };
}
