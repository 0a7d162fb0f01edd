import { quoted, summaryOf, type CommandNode } from './tree.ts';

/** Prints the completion script for fish. */
export function fishCompletion(name: string, tree: readonly CommandNode[]): string {
  const known = tree.filter(({ path }) => path.length > 0).map(({ path }) => quoted(path.join(' ')));
  const lines = tree.flatMap(({ path, subcommands, options }) => {
    const here = `complete -c ${name} -n "test (__${name}_at) = '${path.join(' ')}'"`;
    return [
      ...subcommands.map(({ word, description }) => `${here} -f -a ${word} -d ${quoted(summaryOf(description))}`),
      ...options.map(({ word, description }) => `${here} -l ${word.slice(2)} -d ${quoted(summaryOf(description))}`),
    ];
  });
  return `# Completion of ${name} for fish: ${name} completion fish > ~/.config/fish/completions/${name}.fish
function __${name}_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        set -l next (string trim "$at $word")
        contains -- $next ${known.join(' ')}; and set at $next
    end
    echo "$at"
end
${lines.join('\n')}
`;
}
