import { HELP_TOPICS, KNOWN_SETTINGS } from '../../pkg/config/known.js';
import { COMMANDS } from './help.js';
import type { Shell } from './shells.js';

/** What may follow the name of the program, and then each command. */
interface Program {
  readonly name: string;
  readonly first: readonly string[];
  readonly after: Readonly<Record<string, readonly string[]>>;
  /** What may follow anything else. */
  readonly always: readonly string[];
}

const SETTINGS = ['--config=', ...KNOWN_SETTINGS.map(({ key }) => `--${key}=`)];

const PROGRAMS: readonly Program[] = [
  {
    name: 'adminctl',
    first: [...COMMANDS.map(({ name }) => name), 'help', '--help', '--version'],
    after: {
      ...Object.fromEntries(
        COMMANDS.map((command) => [
          command.name,
          command.takesSettings ? [...command.words, ...SETTINGS] : command.words,
        ]),
      ),
      help: COMMANDS.map(({ name }) => name),
    },
    always: [],
  },
  {
    name: 'dashboard-apiserver',
    first: ['--help', ...HELP_TOPICS.map((topic) => `--help=${topic}`), '--version', '--profile', ...SETTINGS],
    after: {},
    always: SETTINGS,
  },
];

/**
 * A script that completes the arguments of both programs. The shell reads it at its start, and it runs neither of them.
 */
export function completionScript(shell: Shell): string {
  return PROGRAMS.map(shell === 'bash' ? bashScript : zshScript).join('\n');
}

const functionOf = (name: string): string => `_${name.replaceAll('-', '_')}`;

const cases = ({ after, always }: Program, assign: (words: string) => string): string =>
  [
    ...Object.entries(after).map(([command, words]) => `    ${command}) ${assign(words.join(' '))} ;;`),
    `    *) ${assign(always.join(' '))} ;;`,
  ].join('\n');

/**
 * Bash ends a word at `=`, so the script divides the line itself. Where there are no words to offer, it offers file
 * names.
 */
function bashScript(program: Program): string {
  const name = functionOf(program.name);
  return `${name}() {
  local current="\${COMP_LINE:0:COMP_POINT}" before words at
  before="\${current%"\${current##*[[:space:]]}"}"
  current="\${current#"$before"}"
  set -- $before
  case "$2" in
${cases(program, (words) => `words="${words}"`)}
  esac
  [ "$#" -gt 1 ] || words="${program.first.join(' ')}"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ "\${#COMPREPLY[@]}" -eq 1 ]; then case "\${COMPREPLY[0]}" in *=) compopt -o nospace 2>/dev/null ;; esac; fi
  case "$current" in
    *=*) for at in "\${!COMPREPLY[@]}"; do COMPREPLY[at]="\${COMPREPLY[at]#"\${current%%=*}="}"; done ;;
  esac
}
complete -o default -F ${name} ${program.name}
`;
}

function zshScript(program: Program): string {
  const name = functionOf(program.name);
  return `${name}() {
  local -a words_
  if [[ "\${words[CURRENT]}" != --help=* ]] && compset -P '--*='; then _files; return; fi
  if (( CURRENT == 2 )); then words_=(${program.first.join(' ')})
  else case "\${words[2]}" in
${cases(program, (words) => `words_=(${words})`)}
  esac; fi
  compadd -S '' -- \${(M)words_:#*=}
  compadd -- \${words_:#*=}
  _files
}
compdef ${name} ${program.name}
`;
}
