import { fold } from '../../../../pkg/kube/meta/fold.js';
import { EVERYTHING } from '../../../../registry/authorization/read-filter.js';
import { positive } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { objectOf } from '../../../../registry/read/reader.js';
import { givesPermissions } from '../../legacy/gives-permissions.js';
import { findPage, queryText } from '../../legacy/lists.js';
import { BY_TITLE, type TeamSpec } from '../schema.js';
import type { Team } from './dto.js';

/** The most teams of an answer, and so many without `limit`. */
const MOST = 1000;

/**
 * The teams to which the caller can give permissions, by title: all of the organization for callers who give
 * permissions in it, and for others those that they may view.
 */
export function teamsToChoose(call: LegacyCall): readonly unknown[] {
  const { namespace } = call.organization;
  const teams = call.objects<TeamSpec>('iam/Team');
  const filter = givesPermissions(call, namespace) ? EVERYTHING : teams.readFilter();
  const { entries } = findPage({
    page: 1,
    perPage: Math.min(MOST, positive(call.query, 'limit', MOST)),
    filter,
    query: queryText(call.query, fold),
    entries: teams.entries({ index: BY_TITLE, prefix: [namespace] }),
  });
  return entries.map((entry) => {
    const team = objectOf(entry) as Team;
    return { id: teams.idOf(team), uid: team.metadata.name, name: team.spec?.title ?? '' };
  });
}
