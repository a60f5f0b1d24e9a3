import { UID_NAMES } from '../../../../registry/kinds/names.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import type { TeamSpec } from '../schema.js';
import type { Team } from './dto.js';

/**
 * The team of the path, by id or uid. Throws 400 for any other text, 404, and 403 for callers who may not use this verb
 * on it.
 */
export function teamOfPath(
  call: LegacyCall,
  verb: 'get' | 'update' | 'delete',
  teams = call.objects<TeamSpec>('iam/Team'),
): Team {
  const text = call.param('teamId');
  const isNumber = /^[0-9]{1,15}$/.test(text);
  const isUid = !isNumber && UID_NAMES.pattern.test(text) && text.length <= UID_NAMES.maxLength;
  const team = isNumber ? teams.findById(Number(text)) : isUid ? teams.find(text) : undefined;
  teams.authorize(verb, team);
  if (team !== undefined) return team as Team;
  throw isNumber || isUid ? plainFailure(404, 'Team not found') : plainFailure(400, 'teamId is invalid');
}
