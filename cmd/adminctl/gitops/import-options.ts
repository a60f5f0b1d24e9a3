import { parseArgs } from 'node:util';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { UsageError } from '../usage.js';

export interface ImportOptions {
  /** One folder, or files. */
  readonly files: readonly string[];
  /** The folder of what lies in none. Of files also that of what names another one. */
  readonly folder?: string | undefined;
  /** The domain of the groups of the server. */
  readonly domain: string;
  /** The values of placeholders. */
  readonly inputs: ReadonlyMap<string, string>;
  /** The folder into which manifests are written. Absent: a folder is stored in the server, and files are printed. */
  readonly to?: string | undefined;
  readonly overwrite: boolean;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly applySet?: string | undefined;
  readonly namespace?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

export const IMPORT_HELP = `adminctl import FOLDER [--to DIR] [--folder NAME] [--input NAME=VALUE] [--dry-run] [--force] [connection]
adminctl import FILE… [--to DIR] [--folder NAME] [--input NAME=VALUE] [--domain DOMAIN]

  Takes what other tools have saved. FOLDER has dashboards as they are exported, or is the tree of grafana-backup-tool, gdg or Grizzly, with
  folders, permissions, library elements, alert rules and teams. It is stored in the server, as by sync. What has no kind here is listed.
  FILE has dashboards as JSON: exported, answered by the legacy API, or a list. Their manifests are printed, and no server is asked.
  --to=DIR         writes manifests for Git to DIR, a file for each object, and talks to no server
  --overwrite      with --to: also writes over files that no import made, or that somebody has changed since
  --folder=NAME    the folder for what lies in none; of files, the folder of all dashboards
  --input=NAME=VALUE  the value of a placeholder, such as DS_PROMETHEUS=uid; may be repeated
  --domain=DOMAIN  with --to, or for files: the setting api.domain of the server; by default svc.app
  --dry-run        changes nothing, and prints what would be done
  --force          takes over fields that other managers own
  --applyset=NAME  the set that the objects become members of; by default import
  --namespace=NS   the namespace of the objects
  Exit codes: 0 done, 1 failed, 2 wrong usage
`;

const FLAG = { type: 'boolean', default: false } as const;
const OPTIONS = {
  folder: { type: 'string' },
  domain: { type: 'string' },
  input: { type: 'string', multiple: true },
  to: { type: 'string' },
  overwrite: FLAG,
  'dry-run': FLAG,
  force: FLAG,
  applyset: { type: 'string' },
  namespace: { type: 'string', short: 'n' },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
} as const;

const DOMAIN = 'svc.app';

export function parseImport(argv: readonly string[]): ImportOptions {
  const { values, positionals: files } = parsed(argv);
  const { input, applyset, to, overwrite, 'dry-run': dryRun, domain, ...others } = values;
  if (files.length === 0) throw new UsageError('Give a folder or files: adminctl import FOLDER, adminctl import FILE…');
  if (to === '') throw new UsageError('--to names no folder.');
  if (overwrite && to === undefined) throw new UsageError('--overwrite is for --to.');
  const toServer = Object.entries({ applyset, ...others }).find(([name, value]) => OF_SERVER.includes(name) && value);
  if (to !== undefined && toServer !== undefined)
    throw new UsageError(`--${toServer[0]} is for a server, and --to talks to none.`);
  return {
    files,
    ...others,
    to,
    overwrite,
    dryRun,
    domain: domain ?? DOMAIN,
    applySet: applyset,
    inputs: inputsOf(input),
  };
}

const OF_SERVER: readonly string[] = ['force', 'applyset', 'namespace', 'kubeconfig', 'context'];

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    throw new UsageError(messageOf(cause), { cause });
  }
}

function inputsOf(given: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at > 0) return [text.slice(0, at), text.slice(at + 1)] as const;
      throw new UsageError(`--input=${text} has no value. Write it as --input=DS_PROMETHEUS=uid.`);
    }),
  );
}
