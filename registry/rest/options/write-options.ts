import type { ApiRequest } from '../../../pkg/http/handler.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { badRequest, invalid } from '../../../pkg/kube/status/errors.js';
import type { CauseReason } from '../../../pkg/kube/status/status.js';
import { extended } from '../../../pkg/system/object/extended.js';
import type { ClientOptions } from '../../client/client.js';
import { isBare } from '../../decode/decode.js';
import type { NamedKind } from '../../table/negotiate.js';
import { fieldManagerOf } from '../../write/field-manager.js';
import { checkRepresentation } from '../answer/render.js';
import type { VerbTarget } from '../verb.js';

/**
 * Parses the options that all writes have. Throws 400, and 422 for a dryRun other than `All`. Throws 406 if the client
 * accepts no representation of the answer, because after the write it would be too late. `answerKind` is the kind of
 * the answer.
 */
export function writeOptions(
  request: ApiRequest,
  { info, kind }: VerbTarget,
  answerKind: NamedKind = kind,
): ClientOptions {
  const answersWithList = request.method === 'DELETE' && info.name === '';
  checkRepresentation(request, answersWithList ? 'list' : 'object', answerKind);
  const options = OPTIONS[request.method] ?? 'CreateOptions';
  checkFieldManager(request.query.get('fieldManager'), options);
  const dryRun = isDryRun(request.query.getAll('dryRun'), options);
  const fieldManager = fieldManagerOf(request);
  return { user: request.user, isDryRun: dryRun, signal: request.cancellation, audit: request.audit, fieldManager };
}

/**
 * The same for a write of one object, which may name objects that do not exist yet. The body of a plain HTTP caller,
 * which has neither apiVersion nor kind, may not: such a caller expects a refusal.
 */
export function withWaiting(options: ClientOptions, { registry }: VerbTarget, body?: unknown): ClientOptions {
  return registry.acceptsMissing && !isBare(body) ? extended(options, { waits: true }) : options;
}

const LONGEST_MANAGER = 128;
/** As Go's unicode.IsPrint: of the white space, only the space. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

/** Kubernetes' name for the options of a write, by HTTP method. */
export const OPTIONS: Readonly<Record<string, OptionsKind>> = {
  POST: 'CreateOptions',
  PUT: 'UpdateOptions',
  PATCH: 'PatchOptions',
  DELETE: 'DeleteOptions',
};

/**
 * Throws 422 for a value other than `All`. An empty value is refused, too, because a script with an empty variable does
 * not want a real write. `kind` names the options in the message.
 */
export function isDryRun(values: readonly string[], kind: OptionsKind): boolean {
  if (values.every((value) => value === 'All')) return values.length > 0;
  const message = `Unsupported value: ${JSON.stringify(values).slice(0, 100)}: supported values: "All"`;
  throw invalid({ group: 'meta.k8s.io', kind }, '', [{ reason: 'FieldValueNotSupported', message, field: 'dryRun' }]);
}

function checkFieldManager(manager: string | null, kind: OptionsKind): void {
  if (manager === null) return;
  const cause = managerProblem(manager);
  if (cause !== undefined) throw invalid({ group: 'meta.k8s.io', kind }, '', [{ ...cause, field: 'fieldManager' }]);
}

/** Kubernetes' rules (ValidateFieldManager): at most 128 bytes, and only printable characters. */
function managerProblem(manager: string): { readonly reason: CauseReason; readonly message: string } | undefined {
  if (Buffer.byteLength(manager) > LONGEST_MANAGER)
    return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${LONGEST_MANAGER} bytes` };
  if (PRINTABLE.test(manager)) return undefined;
  const message = `Invalid value: ${JSON.stringify(manager)}: should only contain printable characters`;
  return { reason: 'FieldValueInvalid', message };
}

/** Throws 400 if the body has a namespace that differs from the namespace of the path. */
export function checkNamespaceInBody(
  { kind, info }: Pick<VerbTarget, 'kind' | 'info'>,
  object: Pick<KubeObject, 'metadata'>,
): void {
  const { namespace } = object.metadata;
  if (kind.scope === 'Cluster' || namespace === undefined || namespace === '' || namespace === info.namespace) return;
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}
