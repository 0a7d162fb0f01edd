import { quoted, type CommandNode } from './tree.ts';

/** Prints the completion script for bash. */
export function bashCompletion(name: string, tree: readonly CommandNode[]): string {
  const known = tree.filter(({ path }) => path.length > 0).map(({ path }) => quoted(` ${path.join(' ')}`));
  const cases = tree.map(({ path, subcommands, options }) => {
    const at = path.map((word) => ` ${word}`).join('');
    const words = [...subcommands, ...options].map(({ word }) => word).join(' ');
    return `    ${quoted(at)}) words=${quoted(words)} ;;`;
  });
  return `# Completion of ${name} for bash. In ~/.bashrc: source <(${name} completion bash)
_${name}() {
  local at='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${known.join('|')}) at="$at $word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}
`;
}
