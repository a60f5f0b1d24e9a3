import type { ApiResponse } from '../../../pkg/http/handler.js';
import { warningHeaders } from '../../../pkg/http/warnings.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { badRequest } from '../../../pkg/kube/status/errors.js';
import { Client } from '../../client/client.js';
import { isBare } from '../../decode/decode.js';
import { AnsweredError } from '../../kinds/conventions.js';
import { checkPreconditions, versionIn } from '../../write/prepare.js';
import { answering } from '../answer/answer.js';
import { renderSteps } from '../answer/render.js';
import { adviceOn } from '../answer/warnings.js';
import { decodeObjectBody } from '../body/body.js';
import { ifMatch } from '../options/if-match.js';
import { keepsOrigin } from '../options/keep-origin.js';
import { checkNamespaceInBody, withWaiting, writeOptions } from '../options/write-options.js';
import { partOf, type Verb, writeThrough } from '../verb.js';

/** PUT of one object or of its status. Without a version in the body or in `If-Match`, the last write wins. */
export const update: Verb = async (request, target) => {
  const { kind, registry, info } = target;
  const { conventions } = kind;
  const part = partOf(info);
  const options = writeOptions(request, target);
  const isKeeping = keepsOrigin(request, target);
  const { object, raw, warnings } = await decodeObjectBody(request, kind, part);
  checkNamespaceInBody(target, object);
  const { name } = object.metadata;
  const bare = isBare(raw);
  if (name !== info.name && !(bare && name === '')) {
    throw badRequest(
      `the name of the object (${name.slice(0, 300)}) does not match the name on the URL (${info.name})`,
    );
  }
  const versions = [versionIn(object.metadata), ifMatch(request)];
  const change = (old: KubeObject): KubeObject => {
    const { uid } = object.metadata;
    if (uid !== undefined && uid !== '') checkPreconditions(kind, old, { uid });
    const { resourceVersion: current } = old.metadata;
    const isStale = versions.some((version) => version !== undefined && version !== current);
    if (isStale) throw conventions.staleVersion(kind, info.name, request, bare);
    return bare ? conventions.completeBare(object, old) : object;
  };
  const client = new Client(registry, { ...withWaiting(options, target, raw), keepsOrigin: isKeeping });
  try {
    return await client.update(
      kind,
      info.namespace,
      info.name,
      change,
      writeThrough(info, 'update'),
      answering(request, (written) => {
        const advice = [...warnings, ...(written.warnings ?? []), ...adviceOn(kind, object, part)];
        return renderSteps(request, target, 200, written.value, warningHeaders(advice));
      }),
    );
  } catch (error) {
    if (error instanceof AnsweredError) return withHeaders(error.response, request.failureHeaders);
    throw error;
  }
};

function withHeaders(response: ApiResponse, more: ApiResponse['headers'] = {}): ApiResponse {
  return { ...response, headers: { ...response.headers, ...more } };
}
