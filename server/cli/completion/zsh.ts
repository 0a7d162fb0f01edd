import { quoted, summaryOf, type Candidate, type CommandNode } from './tree.ts';

/** Prints the completion script for zsh. */
export function zshCompletion(name: string, tree: readonly CommandNode[]): string {
  const known = tree.filter(({ path }) => path.length > 0).map(({ path }) => quoted(` ${path.join(' ')}`));
  const cases = tree.map(({ path, subcommands, options }) => {
    const at = path.map((word) => ` ${word}`).join('');
    return `    ${quoted(at)})
      commands=(${subcommands.map(described).join(' ')})
      options=(${options.map(described).join(' ')})
      ;;`;
  });
  return `#compdef ${name}
# Completion of ${name} for zsh. In ~/.zshrc, behind compinit: source <(${name} completion zsh)
_${name}() {
  local at='' word
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      ${known.join('|')}) at="$at $word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  (( $#commands )) && _describe command commands
  if [[ "$PREFIX" == -* ]]; then
    _describe option options
  elif (( ! $#commands )); then
    _files
  fi
}
compdef _${name} ${name}
`;
}

/** A colon ends the word in a list of `_describe`. */
function described({ word, description }: Candidate): string {
  return quoted(`${word}:${summaryOf(description)}`);
}
