import type { LegacyClient } from '../../../pkg/legacyclient/client.js';
import { configurationOf, type Writable } from '../gitops/exported.js';
import { writeManifests } from '../gitops/manifest-folder.js';
import type { Terminal } from '../terminal.js';
import { reportFiles } from '../tree/report-files.js';
import { EmptyServer } from './empty-server.js';
import { Report } from './report.js';
import { type ImportRun, importBy } from './run.js';
import { Target } from './target.js';

export interface ManifestRun extends ImportRun {
  readonly to: string;
  readonly domain: string;
  readonly overwrite: boolean;
}

/** Writes manifests of what the source has, in place of storing it. Returns the exit code. */
export async function writeFrom(source: LegacyClient, options: ManifestRun, terminal: Terminal): Promise<number> {
  const server = new EmptyServer();
  const target = new Target(server, options.domain, false);
  // Nobody is there who could be somebody else, and no manifest says where it was imported from.
  const { url: _, ...run } = options;
  const report = new ManifestReport(terminal.out, options.isDryRun);
  const code = await importBy(source, target, run, terminal, report);
  const { kept, leftOut } = forGit(server.objects, options.domain);
  for (const [plural, count] of leftOut) terminal.out.write(`left out: ${count} ${plural}: ${reasonOf(plural)}\n`);
  const dryRun = options.isDryRun;
  const written = writeManifests(options.to, kept, { overwrite: options.overwrite, dryRun });
  reportFiles(written, options.to, dryRun, terminal);
  return code;
}

/** Only the rows: what was created is counted by files. */
class ManifestReport extends Report {
  override end(): void {}

  override created(): number {
    return 0;
  }
}

/** Kinds that are no configuration. */
const RECORDS: readonly string[] = ['Annotation', 'Stars', 'QueryHistory'];
/** Kinds that are about people. Their uids are those of the source, and each server has people of its own. */
const PEOPLE: readonly string[] = ['User', 'OrganizationBinding', 'TeamBinding'];

function reasonOf(kind: string): string {
  return RECORDS.includes(kind) ? 'they are no configuration' : 'manifests for Git name no people';
}

interface Chosen {
  readonly kept: readonly Writable[];
  /** The number of each kind. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Objects of one organization name no namespace, so that they can be applied to any. */
function forGit(objects: readonly Writable[], domain: string): Chosen {
  const namespaces = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  const isOne = namespaces.size < 2;
  const leftOut = new Map<string, number>();
  const kept = objects.flatMap((object) => {
    const { kind, metadata } = object;
    if (isOne && kind === 'Organization') return [];
    if (RECORDS.includes(kind) || isAboutSomebody(object)) {
      leftOut.set(kind, (leftOut.get(kind) ?? 0) + 1);
      return [];
    }
    const placed = isOne ? { ...object, metadata: { ...metadata, namespace: undefined } } : object;
    return [configurationOf(placed, domain)];
  });
  return { kept, leftOut };
}

function isAboutSomebody({ kind, metadata, ...members }: Writable): boolean {
  const { subject } = (members['spec'] ?? {}) as { readonly subject?: { readonly kind?: string } };
  return PEOPLE.includes(kind) || subject?.kind === 'User' || (kind === 'Preferences' && /^user-/.test(metadata.name));
}
