import { jsonResponse } from '../../../pkg/http/json.js';
import { badRequest } from '../../../pkg/kube/status/errors.js';
import { ObjectHistory, type Version, type VersionPage } from '../../history/history.js';
import { HISTORY, LARGEST_PAGE } from '../../kinds/past-subresources.js';
import { checkRepresentation } from '../answer/render.js';
import { decodeContinue, encodeContinue } from '../options/continue-token.js';
import { awaitCaller } from '../options/freshness.js';
import { parseInteger } from '../options/query.js';
import type { Verb, VerbTarget } from '../verb.js';
import { typed } from './subresource-body.js';

const DEFAULT_PAGE = 50;

/** GET of the subresource `history`: the versions of an object, or one whole version. The object may be deleted. */
export const history: Verb = async (request, target) => {
  checkRepresentation(request, 'object', target.kind);
  const { registry, kind, info } = target;
  const { query, user } = request;
  const version = parseInteger(query, 'version');
  const requested = parseInteger(query, 'limit') ?? 0;
  const limit = requested > 0 ? Math.min(requested, LARGEST_PAGE) : DEFAULT_PAGE;
  const token = query.get('continue') ?? '';
  if (version !== undefined && token !== '')
    throw badRequest('the query parameters version and continue exclude each other');
  const binding = [kind.qualified, info.namespace, info.name, HISTORY, user.name];
  const below = token === '' ? undefined : decodeContinue(token, binding).revision;
  await awaitCaller(registry.cacher, request);
  const versions = new ObjectHistory(registry, user, kind, info.namespace);
  const page: VersionPage =
    version === undefined
      ? await versions.page(info.name, { limit, ...(below !== undefined && { below }) })
      : { versions: [await versions.version(info.name, version)] };
  const more =
    page.below === undefined
      ? {}
      : { continue: encodeContinue({ revision: page.below, after: '', given: 0 }, binding) };
  const shown = page.versions.map((one) => shownOf(one, version !== undefined));
  return jsonResponse(request, 200, typed(messageOf(target), target, { versions: shown, ...more }));
};

function shownOf({ object, ...version }: Version, isWhole: boolean): object {
  return isWhole ? { ...version, object } : version;
}

function messageOf({ kind }: VerbTarget) {
  const message = kind.subresources.find(({ name }) => name === HISTORY)?.kind;
  if (message === undefined) throw new Error(`${kind.kind} has no history`);
  return message;
}
