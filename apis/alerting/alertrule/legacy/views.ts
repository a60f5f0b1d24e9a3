import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { requireAction } from '../../../../registry/legacy/errors.js';
import { type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { okJson } from '../../../../registry/legacy/stream.js';
import type { ApisEnvironment } from '../../../environment.js';
import { RULE_STATES, RULER_GROUPS } from './answers.js';
import { rulesOf } from './dto.js';
import { RULE_ERRORS } from './errors.js';
import { DASHBOARD_FILTERS, filterGroups, STATE_FILTERS, STATE_LISTS } from './filter.js';
import { groupsOf } from './grouping.js';
import { RULE_NOTES } from './notes.js';
import { rulerText } from './ruler.js';
import { statesText } from './states.js';

/** The stored rules as Prometheus and its ruler show rules. This server evaluates none, so all of them are inactive. */
export function viewRoutes(environment: ApisEnvironment): readonly LegacyRoute[] {
  const states = (call: LegacyCall) => {
    requireAction(rulesOf(call), 'alert.rules:read');
    const folder = call.query.get('folder_uid') ?? '';
    const names = call.query.getAll('rule_group').filter((name) => name !== '');
    const [only, ...others] = names;
    const group = only === undefined || others.length > 0 ? [] : [only];
    const within = folder === '' ? [] : [folder, ...group];
    return okJson(statesText(call, filterGroups(call.query, groupsOf(call, environment, within)), names));
  };

  const byFolder = (call: LegacyCall, within?: string) => {
    requireAction(rulesOf(call), 'alert.rules:read');
    return okJson(rulerText(call, environment, within));
  };

  return routes(
    { notes: RULE_NOTES, errors: RULE_ERRORS },
    {
      'GET /prometheus/grafana/api/v1/rules': {
        answer: RULE_STATES,
        summary: 'Lists alert rules as Prometheus shows them',
        query: ['folder_uid', 'rule_group', ...STATE_FILTERS],
        lists: ['rule_group', ...STATE_LISTS],
        handle: states,
      },
      'GET /ruler/grafana/api/v1/rules': {
        answer: RULER_GROUPS,
        summary: 'Lists the groups of alert rules by folder',
        query: DASHBOARD_FILTERS,
        handle: (call) => byFolder(call),
      },
      'GET /ruler/grafana/api/v1/rules/:folderUid': {
        answer: RULER_GROUPS,
        summary: 'Lists the groups of alert rules of a folder',
        query: DASHBOARD_FILTERS,
        handle: (call) => ({
          ...byFolder(call, call.param('folderUid')),
          status: 202,
        }),
      },
    },
  );
}
