import type { LegacyClient } from '../../../pkg/legacyclient/client.js';
import { progressBar, type Terminal } from '../terminal.js';
import { permissionsHere } from './access.js';
import { takeAnnotations } from './annotations.js';
import { takeDashboards } from './dashboards.js';
import { takeElements } from './elements.js';
import { takeFolders } from './folders.js';
import { tellLeftOut } from './left-out.js';
import { takeAccounts, takeMembers } from './members.js';
import type { Move } from './move.js';
import { openFolders } from './opening.js';
import { namespaceOf, type Organization, organizationsOf, takeOrganization } from './organizations.js';
import { People } from './people.js';
import { takeOwn, takePreferences, takeTeamPreferences } from './preferences.js';
import { Report } from './report.js';
import { USERS } from './resources.js';
import { takeRoles } from './roles.js';
import { takeRules } from './rules.js';
import type { Target } from './target.js';
import { takeTeams } from './teams.js';
import { Trust } from './trust.js';
import { type Present, presentUsers, takeUsers, usersOf } from './users.js';

export interface ImportRun {
  readonly isDryRun: boolean;
  readonly hasHistory: boolean;
  /** The most annotations that the source is asked for at one time. */
  readonly page?: number | undefined;
  /** The number of the only organization to take. */
  readonly organization?: number | undefined;
  /** The namespace that takes it. Absent: the one with its number. */
  readonly namespace?: string | undefined;
  /** The people there are the people here, and its administrators may administer this server. */
  readonly trustsPeople?: boolean;
  /** The address of the source, by which a later run knows whom it has made. */
  readonly url?: string;
}

const PAGE = 1000;

/** Everything was taken. */
export const TOOK_ALL = 0;
/** Something was skipped or left out. */
export const TOOK_SOME = 3;

/** Takes what the source has into the target. Rejects if it cannot go on; the next run then does the rest. */
export async function importBy(
  source: LegacyClient,
  target: Target,
  options: ImportRun,
  terminal: Terminal,
  report = new Report(terminal.out, options.isDryRun),
): Promise<number> {
  const organizations = chosen(await organizationsOf(source), options);
  const people = new People();
  const shared = {
    target,
    report,
    trust: new Trust(options.trustsPeople === true, options.url),
    hasHistory: options.hasHistory,
    page: options.page ?? PAGE,
    progress: (what: string) => progressBar(terminal, what),
  };
  const present = await presentUsers(shared);
  const users = await usersOf(source, shared);
  if (users !== undefined)
    await takeUsers({ ...shared, source, people, namespace: '', taken: new Set() }, users, present);
  for (const organization of organizations) {
    const own = source.inOrganization(organization.id);
    const namespace = options.namespace ?? namespaceOf(organization);
    const move: Move = { ...shared, source: own, namespace, people: people.copy(), taken: new Set() };
    await takeAll(move, organization, { isNamed: options.namespace !== undefined, ...(users ? {} : { present }) });
  }
  shared.trust.tell(report);
  tellPasswords(report);
  report.end();
  return report.tookAll ? TOOK_ALL : TOOK_SOME;
}

function chosen(all: readonly Organization[], { organization, namespace }: ImportRun): readonly Organization[] {
  const some = organization === undefined ? all : all.filter(({ id }) => id === organization);
  if (some.length === 0)
    throw new Error(`The source has no organization ${organization} that the credential may read.`);
  if (namespace !== undefined && some.length > 1)
    throw new Error(
      `The source has ${some.length} organizations. Choose the one for ${namespace} with --organization.`,
    );
  return some;
}

interface How {
  readonly isNamed: boolean;
  /** The users here, if those of the source must be taken from its organizations. */
  readonly present?: Present;
}

/** One organization, in an order in which nobody ever has more here than there. */
async function takeAll(move: Move, organization: Organization, { isNamed, present }: How): Promise<void> {
  if (!(await takeOrganization(move, organization, isNamed))) return;
  await takeMembers(move, present);
  await takeAccounts(move);
  const { teams, taken } = await takeTeams(move);
  await takeRoles(move, teams);
  const here = await permissionsHere(move);
  const { places, closed } = await takeFolders(move, teams, here);
  await takeElements(move, places);
  await takeDashboards(move, teams, here, places);
  await takeRules(move, places);
  await openFolders(move, closed, here);
  await takeAnnotations(move);
  await takePreferences(move);
  for (const [name, id] of taken) await takeTeamPreferences(move, id, name);
  await takeOwn(move);
  await tellLeftOut(move);
}

/** No API tells passwords, not even their hashes. */
function tellPasswords(report: Report): void {
  const count = report.created(USERS.plural);
  if (count === 0) return;
  const how =
    'Passwords cannot be read: people sign in by a provider, or get one by adminctl reset-password --user=LOGIN';
  report.note(`${count} new users`, how);
}
