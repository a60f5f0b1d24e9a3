import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { valueIn } from '../../../pkg/config/sources.js';
import type { Credential } from '../../../pkg/legacyclient/server.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { UsageError } from '../usage.js';
import type { ImportRun } from './run.js';

export const BRIDGE_HELP = `adminctl import --from=URL [--dry-run] [--history] [--organization=ID] [--namespace NS] [connection]

  Takes over what another server has, by its legacy REST API: organizations, users, teams, service accounts, roles, folders, library elements,
  dashboards, alert rules, annotations and preferences, with uids, numbers, times, authors and permissions. What is here already is
  made as there: permissions, members of teams, and members of organizations whom it has brought go here if they are gone there. Nothing
  else is deleted.
  The token is in IMPORT_TOKEN or --token__FILE=FILE. With --login=LOGIN, the password is in IMPORT_PASSWORD or --password__FILE=FILE.
  --dry-run        changes nothing, and says what would be changed
  --trust-people   the people there are those here: who is here already gets what they have there, and who administers the server there does so here
  --history        takes the earlier versions of dashboards, too
  --organization=ID  the number of the only organization to take; by default all that the credential may read
  --namespace=NS   the namespace that takes this organization; by default the one with its number
  --ca=FILE        the certificate authority of the source
  --insecure-http  sends the credential without encryption
  --to=DIR         writes manifests for Git to DIR, without people, and talks to no server but the source; with --overwrite and --domain as for files
  Exit codes: 0 all was taken, 1 failed, 2 wrong usage, 3 something was skipped or left out; run it again to go on
`;

export interface BridgeOptions extends ImportRun {
  readonly url: string;
  readonly credential: Credential;
  readonly ca: string | undefined;
  readonly isInsecure: boolean;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** The folder into which manifests are written. Absent: the server of the kubeconfig takes what the source has. */
  readonly to: string | undefined;
  readonly overwrite: boolean;
  readonly domain: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the arguments of `import` name a server, and not files. */
export function isFromServer(argv: readonly string[]): boolean {
  return argv.some((argument) => argument === '--from' || argument.startsWith('--from='));
}

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;
const OPTIONS = {
  from: TEXT,
  token__FILE: TEXT,
  login: TEXT,
  password__FILE: TEXT,
  ca: TEXT,
  organization: TEXT,
  namespace: { type: 'string', short: 'n' },
  kubeconfig: TEXT,
  context: TEXT,
  'dry-run': FLAG,
  history: FLAG,
  'trust-people': FLAG,
  'insecure-http': FLAG,
  to: TEXT,
  overwrite: FLAG,
  domain: { type: 'string', default: 'svc.app' },
} as const;

/** Throws UsageError. */
export function parseBridge(argv: readonly string[], env: Environment): BridgeOptions {
  const { from: url, ca, namespace, kubeconfig, context, ...values } = parsed(argv);
  if (url === undefined || url === '') throw new UsageError('Give the address of the source: --from=https://…');
  const { to, overwrite, domain } = values;
  checkManifests(values, [namespace, kubeconfig, context]);
  return {
    url,
    credential: credentialIn(values, env),
    ca: ca === undefined ? undefined : authorityIn(ca),
    isInsecure: values['insecure-http'],
    isDryRun: values['dry-run'],
    hasHistory: values.history,
    trustsPeople: values['trust-people'],
    organization: numberIn(values.organization),
    namespace,
    kubeconfig,
    context,
    to,
    overwrite,
    domain,
  };
}

/** What is about a server cannot be together with `--to`, which talks to none but the source. */
function checkManifests({ to, overwrite }: ReturnType<typeof parsed>, ofServer: readonly (string | undefined)[]): void {
  if (to === '') throw new UsageError('--to names no folder.');
  if (to === undefined && overwrite) throw new UsageError('--overwrite is for --to.');
  if (to !== undefined && ofServer.some((value) => value !== undefined))
    throw new UsageError('--to talks to no server, so it takes no --namespace, --kubeconfig and --context.');
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: false }).values;
  } catch (cause) {
    throw new UsageError(messageOf(cause), { cause });
  }
}

function credentialIn(
  { login, token__FILE: tokenFile, password__FILE: passwordFile }: ReturnType<typeof parsed>,
  env: Environment,
): Credential {
  if (login !== undefined) {
    const password = secretIn(passwordFile, env['IMPORT_PASSWORD']);
    if (password === undefined)
      throw new UsageError('Give the password of the login in IMPORT_PASSWORD or --password__FILE.');
    return { login, password };
  }
  const token = secretIn(tokenFile, env['IMPORT_TOKEN']);
  if (token === undefined)
    throw new UsageError('Give a token of the source in IMPORT_TOKEN or --token__FILE, or a --login.');
  if (/[^\x21-\x7e]/.test(token)) throw new UsageError('The token has characters that no token has.');
  return { token };
}

function secretIn(file: string | undefined, value: string | undefined): string | undefined {
  return (file === undefined ? value : valueIn(textOf(file))) || undefined;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`The file ${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Node ignores a text that is no certificate, and then trusts no authority at all. */
function authorityIn(file: string): string {
  const text = textOf(file);
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new UsageError(`The file ${file} of --ca has no certificate in PEM (-----BEGIN CERTIFICATE-----).`);
}

function numberIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text);
  throw new UsageError('--organization takes the number of an organization.');
}
