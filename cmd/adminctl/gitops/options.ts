import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { UsageError } from '../usage.js';
import type { ExportOptions } from './export.js';
import { IMPORT_HELP } from './import-options.js';
import type { SyncOptions } from './sync.js';

/** The command line of sync is wrong. Its exit code differs from that of other commands, because 2 means drift. */
export class SyncUsageError extends Error {}

export const GITOPS_HELP = `adminctl sync DIR [--applyset NAME] [--namespace NS] [--prune] [--check] [--dry-run] [--force] [--strict] [connection]

  Applies the manifests in DIR (YAML and JSON, also in folders below, or a kustomization) in one commit: all of them or none. DIR can be
  a file, or - for the standard input. It prints what is created, configured and pruned.
  --applyset=NAME  the set that the objects become members of; by default the name of the folder
  --namespace=NS   the namespace of the set, and of objects that name none
  --prune          deletes members of the set that are in no manifest; needs --applyset
  --allow-empty    with --prune: deletes all members if there are no manifests, which otherwise is an error
  --allow-large-prune  with --prune: deletes even more than half of the set without a question
  --strict         changes nothing and exits with 1 if the server warns about a manifest
  --check          changes nothing, and exits with 2 if what is there differs from the manifests, or a member is in none of them
  --dry-run        changes nothing, and prints what would be done
  --force          takes over fields that other managers own
  Exit codes: 0 applied or in sync, 1 error or wrong usage, 2 drift (--check)

adminctl export DIR [--namespace NS] [--kinds KIND,KIND] [--prune] [connection]

  Writes what is there to DIR, one file for each object, without what the server sets, so that sync of it changes nothing.
  --kinds=…        plural names, such as folders,dashboards.dashboard.svc.app; by default all kinds of the namespace that are configuration
  --prune          removes files below the folders of these kinds whose objects are not there any more
  Exit codes: 0 done, 1 failed, 2 wrong usage

${IMPORT_HELP}`;

/** The options of all of them. */
export const CONNECTION_HELP = `[connection] names a running server: the kubeconfig of --kubeconfig=FILE, KUBECONFIG or ~/.kube/config, with its current context or --context=NAME.
`;

const SERVER = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  namespace: { type: 'string', short: 'n' },
} as const;
const FLAG = { type: 'boolean', default: false } as const;

export function parseSync(argv: readonly string[]): SyncOptions {
  const options = {
    ...SERVER,
    applyset: { type: 'string' },
    prune: FLAG,
    check: FLAG,
    'dry-run': FLAG,
    force: FLAG,
    strict: FLAG,
    'allow-empty': FLAG,
    'allow-large-prune': FLAG,
  } as const;
  const { values, positionals } = parsed(
    () => parseArgs({ args: [...argv], options, allowPositionals: true }),
    SyncUsageError,
  );
  const path = only(positionals, 'sync', SyncUsageError);
  const { applyset, check, force, strict, kubeconfig, context, namespace, prune, 'dry-run': dryRun } = values;
  const { 'allow-empty': allowEmpty, 'allow-large-prune': allowLargePrune } = values;
  if ((allowEmpty || allowLargePrune) && !prune)
    throw new SyncUsageError('--allow-empty and --allow-large-prune are for --prune.');
  if (prune && applyset === undefined)
    throw new SyncUsageError('--prune needs --applyset=NAME, the set whose members are deleted.');
  const flags = { check, force, strict, prune, dryRun, allowEmpty, allowLargePrune };
  return { path, applySet: applyset ?? nameOf(path), ...flags, kubeconfig, context, namespace };
}

export function parseExport(argv: readonly string[]): ExportOptions {
  const options = { ...SERVER, kinds: { type: 'string', multiple: true }, prune: FLAG } as const;
  const { values, positionals } = parsed(
    () => parseArgs({ args: [...argv], options, allowPositionals: true }),
    UsageError,
  );
  const folder = only(positionals, 'export', UsageError);
  const kinds = values.kinds?.flatMap((text) => text.split(',')).filter(Boolean);
  if (kinds?.length === 0) throw new UsageError('--kinds names no kind.');
  const { kubeconfig, context, namespace, prune } = values;
  return { folder, kinds, prune, kubeconfig, context, namespace };
}

type Wrong = new (message: string, options?: ErrorOptions) => Error;

function parsed<T>(parse: () => T, Wrong: Wrong): T {
  try {
    return parse();
  } catch (cause) {
    throw new Wrong(messageOf(cause), { cause });
  }
}

function only(positionals: readonly string[], command: string, Wrong: Wrong): string {
  const [first, ...more] = positionals;
  if (first === undefined || first === '' || more.length > 0)
    throw new Wrong(`Give one folder: adminctl ${command} DIR`);
  return first;
}

const NAME = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/** The name of the folder, if a set can have it. */
function nameOf(path: string): string {
  const name = path === '-' ? '' : basename(resolve(path)).toLowerCase();
  if (NAME.test(name)) return name;
  throw new SyncUsageError('Give --applyset=NAME, because a set cannot have the name of what is read.');
}
