import { invalid } from '../../../pkg/kube/status/errors.js';
import { ApiError, type StatusCause } from '../../../pkg/kube/status/status.js';
import { hiddenMembers, storedKind } from '../../kinds/conversion.js';
import type { Kind } from '../../kinds/kind.js';
import type { VerbTarget } from '../verb.js';

/**
 * An error about a stored object as one about the object of the request. They are of different kinds if the kind of the
 * request is stored as another one. Clients and people know only the kind that they have named.
 */
export function asCalled(error: unknown, { registry, kind }: Pick<VerbTarget, 'registry' | 'kind'>): unknown {
  if (kind.conversion === undefined || !(error instanceof ApiError)) return error;
  const stored = storedKind(registry, kind);
  const { details } = error;
  if (details?.group !== stored.group) return error;
  if (details.kind === stored.kind && error.reason === 'Invalid') return invalidAs(kind, stored, error);
  return details.kind === stored.resource ? renamed(kind, stored, error) : error;
}

function invalidAs(kind: Kind, stored: Kind, { details, code }: ApiError): ApiError {
  const causes = (details?.causes ?? []).map((cause) => explained(kind, stored, cause));
  return invalid(kind, details?.name ?? '', causes, code);
}

/** Says where a field comes from that the kind of the request does not have. */
function explained(kind: Kind, stored: Kind, cause: StatusCause): StatusCause {
  const [member = ''] = (cause.field ?? '').split('.');
  if (!hiddenMembers(kind.conversion?.hiddenDefaults).includes(member)) return cause;
  const detail = `a ${kind.kind} does not say this field, so it is made of the name`;
  return { ...cause, message: `${cause.message}; ${detail}: write the ${stored.kind} (${stored.apiVersion}) instead` };
}

function renamed(kind: Kind, stored: Kind, { code, reason, message, details, cause }: ApiError): ApiError {
  const texts: readonly (readonly [string, string])[] = [
    [`${qualified(stored)} "`, `${qualified(kind)} "`],
    [inGroup(stored), inGroup(kind)],
  ];
  const text = texts.reduce((whole, [from, to]) => whole.replace(from, () => to), message);
  const about = { ...details, group: kind.group, kind: kind.resource };
  return new ApiError({ code, reason, message: text, details: about, cause });
}

const qualified = ({ resource, group }: Kind): string => (group === '' ? resource : `${resource}.${group}`);
const inGroup = ({ resource, group }: Kind): string => `resource "${resource}" in API group "${group}"`;
