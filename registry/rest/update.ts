import type { ApiRequest, ApiResponse } from '../../pkg/http/exchange.js';
import { encodeJson } from '../../pkg/http/json.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import { badRequest } from '../../pkg/status/errors.js';
import { ApiError } from '../../pkg/status/status.js';
import { Client } from '../client.js';
import { isBare } from '../decode.js';
import type { Kind } from '../kind.js';
import { checkPreconditions } from '../write/prepare.js';
import { decodeObjectBody } from './body.js';
import { ifMatch } from './if-match.js';
import { renderObject } from './render.js';
import { partOf, type Verb, writeThrough } from './verb.js';
import { adviceOn, warningHeaders } from './warnings.js';
import { checkNamespaceInBody, writeOptions } from './write-options.js';

/** PUT of one object or of its status. Without a version in the body or in `If-Match`, the last write wins. */
export const update: Verb = async (request, target) => {
  const { kind, registry, info } = target;
  const part = partOf(info);
  const { object, raw, warnings } = decodeObjectBody(request, kind, part);
  const options = writeOptions(request, target);
  checkNamespaceInBody(target, object);
  const { name } = object.metadata;
  const bare = isBare(raw);
  if (name !== info.name && !(bare && name === '')) {
    throw badRequest(
      `the name of the object (${name.slice(0, 300)}) does not match the name on the URL (${info.name})`,
    );
  }
  const versions = [object.metadata.resourceVersion || undefined, ifMatch(request)];
  const change = (old: KubeObject): KubeObject => {
    const { uid } = object.metadata;
    if (uid !== undefined && uid !== '') checkPreconditions(kind, old, { uid });
    for (const version of versions) checkVersion(request, kind, old, version, bare);
    return bare ? (kind.completeBare?.(object, old) ?? object) : object;
  };
  const client = new Client(registry, options);
  const written = await client
    .update(kind, info.namespace, info.name, change, writeThrough(info, 'update'))
    .catch(mismatchOf);
  if (written instanceof Mismatch) return written.response();
  const { value } = written;
  return renderObject(request, target, 200, value, warningHeaders([...warnings, ...adviceOn(kind, object, part)]));
};

/** Refuses a stale version with Kubernetes' 409, or with 412 if the callers of the kind expect that. */
function checkVersion(
  request: ApiRequest,
  kind: Kind,
  old: KubeObject,
  version: string | undefined,
  bare: boolean,
): void {
  if (version === undefined || version === old.metadata.resourceVersion) return;
  if (kind.conflictCode !== 412) checkPreconditions(kind, old, { resourceVersion: version });
  throw versionMismatch(kind, old, bare || isPlainCaller(request));
}

/** Sends `If-Match` and nothing that only Kubernetes clients send. */
function isPlainCaller({ headers, query }: ApiRequest): boolean {
  return headers['if-match'] !== undefined && !query.has('fieldManager') && !query.has('fieldValidation');
}

const MISMATCH = 'the object has been modified; please apply your changes to the latest version and try again';

/** The 412 of kinds that answer with one, whose media type callers compare: it has a charset. */
class Mismatch extends Error {
  readonly #body: unknown;

  constructor(message: string, body: unknown) {
    super(message);
    this.#body = body;
  }

  response(): ApiResponse {
    const headers = { 'content-type': 'application/json; charset=UTF-8' };
    return { status: 412, headers, body: encodeJson(this.#body) };
  }
}

function mismatchOf(error: unknown): Mismatch {
  if (error instanceof Mismatch) return error;
  throw error;
}

/** A caller that is no Kubernetes client gets `{message, status}` as the legacy interface has it; a Kubernetes client a Status. */
function versionMismatch(kind: Kind, old: KubeObject, plain: boolean): Mismatch {
  if (plain) {
    const message = `the ${kind.singular} has been changed by someone else`;
    return new Mismatch(message, { message, status: 'version-mismatch' });
  }
  const { name } = old.metadata;
  const causes = [{ reason: 'version-mismatch', message: MISMATCH, field: 'metadata.resourceVersion' }];
  const error = new ApiError({
    code: 412,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${kind.qualified} ${JSON.stringify(name)}: ${MISMATCH}`,
    details: { name, group: kind.group, kind: kind.resource, causes },
  });
  return new Mismatch(error.message, error.toStatus());
}
